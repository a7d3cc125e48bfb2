import type { Clock } from '../../../src/application/ports/platform.ts';

export type FixedClock = Clock & {
  readonly set: (time: number | string) => void;
  readonly advance: (ms: number) => void;
};

/** A clock that stands still until a test moves it. */
export function fixedClock(start: number | string = Date.now()): FixedClock {
  let now = new Date(start).getTime();
  return {
    now: () => now,
    set(time) {
      now = new Date(time).getTime();
    },
    advance(ms) {
      now += ms;
    },
  };
}
