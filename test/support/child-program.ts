import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { START_FLAGS } from '../../bin/start-flags.js';

export type ChildProgram = {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  /** Every whole line it has printed so far. */
  readonly lines: readonly string[];
  /** Resolves when it has printed that many lines; fails when it ends before. */
  readonly printed: (count: number) => Promise<void>;
  /** Resolves when it has ended and everything it printed was read. */
  readonly ended: Promise<void>;
};

/** Another process with the flags of the service, whose printed lines the test can wait for. */
export function startChild(file: URL, ...options: readonly string[]): ChildProgram {
  const child = spawn(process.execPath, [...START_FLAGS, fileURLToPath(file), ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => void lines.push(line));
  const ended = Promise.all([once(child, 'close'), once(reader, 'close')]).then(() => undefined);
  return {
    process: child,
    lines,
    ended,
    printed: (count) =>
      new Promise((resolve, reject) => {
        const look = () => lines.length >= count && resolve();
        reader.on('line', look);
        ended.then(() => reject(new Error(`${file.href} ended after ${lines.length} lines.`)), reject);
        look();
      }),
  };
}
