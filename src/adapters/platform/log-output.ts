import { write, writeSync } from 'node:fs';
import type { Timers } from '../../application/ports/platform.ts';

/** Of lines that are not written yet; what is more is lost. Far more than are ever written at once. */
const MOST_WAITING_BYTES = 16 * 2 ** 20;
/** Before the next try where the reader does not keep up. */
const PAUSE_MS = 100;
/** How often a process that ends tries to write the rest. */
const LAST_TRIES = 20;
/** The reader does not keep up. */
const NOT_NOW: ReadonlySet<unknown> = new Set(['EAGAIN', 'EBUSY']);
const NOTHING = Buffer.alloc(0);

export type LogOutput = { readonly write: (line: string) => void };

type Needs = {
  readonly fd: number;
  readonly timers: Timers;
  /** Hears how many lines were lost, once lines can be written again. */
  readonly onLost: (lines: number) => void;
};

/**
 * Writes lines in the background and in their order. A disk that is full, or a reader that is gone or does not read, must neither end the
 * process that the lines tell of nor keep it from ending: they wait until they can be written, or until the process ends.
 */
export function openLogOutput({ fd, timers, onLost }: Needs): LogOutput {
  let waiting: string[] = [];
  let waitingBytes = 0;
  /** What is being written, or could not be. */
  let current: Buffer = NOTHING;
  let state: 'idle' | 'writing' | 'pausing' = 'idle';
  let lost = 0;

  function writeOn(): void {
    if (current.length === 0) {
      current = Buffer.from(waiting.join(''));
      waiting = [];
    }
    if (current.length === 0) {
      state = 'idle';
      process.off('exit', writeRest);
      return;
    }
    state = 'writing';
    write(fd, current, wasTried);
  }

  function wasTried(error: NodeJS.ErrnoException | null, bytes: number): void {
    if (error === null) {
      current = current.subarray(bytes);
      waitingBytes -= bytes;
      writeOn();
      tellLost();
    } else if (NOT_NOW.has(error.code)) {
      state = 'pausing';
      timers.after(PAUSE_MS, writeOn, { keepsProcess: false });
    } else {
      // It may stay so for hours; the next line tries again.
      state = 'idle';
    }
  }

  function tellLost(): void {
    if (lost === 0) return;
    const lines = lost;
    lost = 0;
    onLost(lines);
  }

  /** What is just being written is left to the thread that does so. */
  function writeRest(): void {
    let rest = Buffer.concat([state === 'writing' ? NOTHING : current, Buffer.from(waiting.join(''))]);
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; ) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if (!NOT_NOW.has((error as NodeJS.ErrnoException).code)) return;
        tries += 1;
        standStill(PAUSE_MS);
      }
    }
  }

  return {
    write(line) {
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > MOST_WAITING_BYTES) {
        lost += 1;
      } else {
        if (waitingBytes === 0) process.on('exit', writeRest);
        waiting.push(line);
        waitingBytes += bytes;
      }
      if (state === 'idle') writeOn();
    },
  };
}

/** Nothing else runs any more in a process that ends. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
