import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What must hold beside the tests: format, lint and types. */
export type Check = { readonly name: string; readonly program: string; readonly args: readonly string[] };

export type CheckResult = { readonly isGood: boolean; readonly output: string };

export const FORMAT_LINT_TYPES: Check = { name: 'npm run check', program: 'npm', args: ['run', '--silent', 'check'] };

/** It is good when the program says so by its exit code. */
export async function runCheck({ program, args }: Check, signal: AbortSignal): Promise<CheckResult> {
  const child = spawn(program, args, { signal, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    return { isGood: exitCode === 0, output };
  } catch (error) {
    return { isGood: false, output: `${output}${String(error)}\n` };
  }
}
