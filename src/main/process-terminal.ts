import { getSystemErrorMessage } from 'node:util';
import type { Timers } from '../application/ports/platform.ts';
import { EXIT, type Terminal } from '../cli/run-command.ts';
import { areColoursWanted } from '../config.ts';
import { endProcess } from './end-process.ts';

/** As shells count a program that ends because nobody reads what it writes: 128 and the number of SIGPIPE. */
const NOBODY_READS = 141;
/** A service that has stopped ends by itself in less, unless a request to the authority is still open, whose answer cannot be stored any more. */
const LAST_STEPS_MS = 100;
/** How long it waits for whoever reads its last lines. */
const LAST_LINES_MS = 2_000;

type ProcessTerminal = Terminal & {
  /** From now on the process goes on when its output cannot be written. */
  readonly outlive: () => void;
  /** When everything is done: ends the process although something is still open, or nobody reads its last lines. */
  readonly leave: (timers: Timers, exitCode: number) => void;
};

/**
 * Standard output and standard error. Whoever reads them may stop at any time, and a file may have no space left. A command writes its
 * output when its work is done, so that it ends there; the service goes on.
 */
export function processTerminal(): ProcessTerminal {
  const stdout = process.stdout;
  const stderr = process.stderr;
  let outlives = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isUnread = error.code === 'EPIPE';
    if (!isUnread) stderr.write(`The output could not be written: ${reasonOf(error)}.\n`);
    if (!outlives) process.exit(isUnread ? NOBODY_READS : EXIT.failed);
  });
  // There is nobody left to tell; the exit code says the rest.
  stderr.on('error', () => undefined);
  return {
    out: (text) => void stdout.write(`${text}\n`),
    error: (text) => void stderr.write(`${text}\n`),
    screen: { columns: stdout.isTTY ? stdout.columns : null, isColoured: stdout.isTTY && areColoursWanted() },
    outlive() {
      outlives = true;
    },
    leave(timers, exitCode) {
      const end = () => endProcess(exitCode);
      const endIfRead = () => {
        if (stdout.writableLength + stderr.writableLength === 0) end();
      };
      timers.after(LAST_STEPS_MS, endIfRead, { keepsProcess: false });
      timers.after(LAST_LINES_MS, end, { keepsProcess: false });
    },
  };
}

function reasonOf({ errno, message }: NodeJS.ErrnoException): string {
  return errno === undefined ? message : getSystemErrorMessage(errno);
}
