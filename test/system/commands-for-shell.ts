import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { commandsHere } from '../cli/commands-here.ts';
import type { Variables } from '../support/process.ts';

export type CommandsForShell = {
  /** Declares `dostava` in a script. */
  readonly declaration: string;
  readonly close: () => void;
};

/**
 * The operator's command line for the script of a page. The shell asks this process for each command: a process of its own would take half
 * a second of a processor. Commands of every kind as processes are in test/cli/command-processes.test.ts.
 */
export async function commandsForShell(variables: Variables): Promise<CommandsForShell> {
  const { run } = commandsHere(variables);
  async function answer(words: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await run(...words).catch((error: unknown) => ({
      ...{ exitCode: 1, stdout: '', stderr: `${String(error)}\n` },
    }));
    return `printf %s ${quoted(stdout)}; printf %s ${quoted(stderr)} >&2; (exit ${exitCode})`;
  }
  const server = createServer(async (request, response) => {
    response.end(await answer((await text(request)).split('\0').slice(0, -1)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = `printf '%s\\0' "$@" | curl -sf --data-binary @- http://127.0.0.1:${port}/ || echo false`;
  return { declaration: `dostava() { eval "$(${asked})"; }`, close: () => void server.close() };
}

function quoted(words: string): string {
  return `'${words.replaceAll("'", `'\\''`)}'`;
}
