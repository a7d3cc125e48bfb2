import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Timers } from '../../src/application/ports/platform.ts';
import { processTerminal } from '../../src/main/process-terminal.ts';

// The answer to an open request of the authority could not be stored any more, and the limit of a stop would end the process with an error.
test('a service that has stopped ends in order although something is still open', (t) => {
  const codes = exitCodesOf(t);
  const { leave } = processTerminal();
  const waiting: (() => void)[] = [];
  const timers = { after: (_: number, run: () => void) => void waiting.push(run) } as unknown as Timers;
  leave(timers, 0);
  assert.deepEqual(codes, []);
  // The last of them ends it also where nobody reads its last lines.
  waiting.at(-1)?.();
  assert.deepEqual(codes, [0]);
});

/** What the process would have ended with; what listens to its output is taken away again. */
function exitCodesOf(t: TestContext): readonly unknown[] {
  const streams = [process.stdout, process.stderr];
  const before = new Set(streams.flatMap((stream) => stream.listeners('error')));
  const codes: unknown[] = [];
  const { exit, execve } = process;
  // Other tests of this process may have a file open: then another program would take its place.
  Object.assign(process, { exit: (code: unknown) => void codes.push(code), execve: undefined });
  t.after(() => {
    Object.assign(process, { exit, execve });
    for (const stream of streams) {
      const added = stream.listeners('error').filter((listener) => !before.has(listener));
      for (const listener of added) stream.off('error', listener as () => void);
    }
  });
  return codes;
}
