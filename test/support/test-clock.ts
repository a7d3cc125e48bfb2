import type { Clock } from '../../src/application/ports/platform.ts';
import { MORNING } from '../engines/samples.ts';
import { steadyElapsedMs } from './steady-time.ts';

export type TestClock = Clock & {
  readonly advance: (ms: number) => void;
  readonly set: (time: number | string) => void;
};

/** A clock that stands still until the test moves it. */
export function clockAt(start: number | string = MORNING): TestClock {
  return adjustable(start, () => 0);
}

/**
 * Real time that a test can push forward: for services whose pauses of a second or two are waited for. It stands still with the process,
 * and so falls behind the clock of whatever does not.
 */
export function runningClock(elapsedMs = steadyElapsedMs): TestClock {
  return adjustable(Date.now(), elapsedMs);
}

/** At the given time now, and from here on as fast as the other clock. */
function adjustable(start: number | string, elapsedMs: () => number): TestClock {
  let zero = 0;
  const set = (time: number | string) => {
    zero = new Date(time).getTime() - elapsedMs();
  };
  set(start);
  return {
    now: () => Math.floor(zero + elapsedMs()),
    advance(ms) {
      zero += ms;
    },
    set,
  };
}
