import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { startProgram } from '../support/process.ts';

/** Why pages cannot be pasted on this machine; false when they can. */
export const CANNOT_PASTE = ['bash', 'curl'].every((program) => spawnSync(program, ['--version']).status === 0)
  ? false
  : 'bash and curl are needed to run the commands of the page';

/** What a shell prints for the script, pasted in the project's folder; every program in it must succeed. */
export async function paste(t: TestContext, script: string): Promise<string> {
  const shell = startProgram(t, 'bash', ['-c', script], {});
  const { exitCode, stdout, stderr } = await shell.finished();
  assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' }, script);
  return stdout;
}

export type Pasted = { readonly command: string; readonly exitCode: number; readonly output: string };

const MARK = '=== end of command ===';

/** Pastes one command after the other into the same shell, so that later ones see what earlier ones have set. */
export async function pasteEach(t: TestContext, commands: readonly string[]): Promise<Pasted[]> {
  const script = commands.map((command) => `${command}\nprintf '\\n%s %s\\n' '${MARK}' $?\n`).join('');
  const { stdout, stderr } = await startProgram(t, 'bash', ['-c', script], {}).finished();
  assert.equal(stderr, '');
  const pieces = [...stdout.matchAll(new RegExp(`([^]*?)\n${MARK} (\\d+)\n`, 'gu'))];
  assert.equal(pieces.length, commands.length, stdout);
  return pieces.map(([, output = '', exitCode], index) => ({
    command: commands[index] ?? '',
    exitCode: Number(exitCode),
    output,
  }));
}

/** A script as its commands: lines, where a line that is no whole command is joined with those that follow. */
export function commandsOf(script: string): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of script.split('\n')) {
    open += open === '' ? line : `\n${line}`;
    const isWhole = !open.endsWith('\\') && spawnSync('bash', ['-n', '-c', open], { stdio: 'ignore' }).status === 0;
    if (!isWhole) continue;
    if (open.trim() !== '') commands.push(open);
    open = '';
  }
  assert.equal(open, '', 'the last command is not whole');
  return commands;
}
