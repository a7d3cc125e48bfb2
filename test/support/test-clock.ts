import type { Clock } from '../../src/application/ports/platform.ts';
import { MORNING } from '../engines/samples.ts';

export type MovableClock = Clock & { readonly advance: (ms: number) => void };

/** A clock that stands still until the test moves it. */
export function clockAt(start = MORNING): MovableClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
