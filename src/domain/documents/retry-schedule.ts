const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses after the first, second, … failed attempt, a little over two days in all. After the last one there is no retry. */
const PAUSES_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
];

/** Documents that failed at the same time should not be retried at the same time. */
const JITTER = 0.2;

export const LONGEST_RETRY_PAUSE_MS = Math.max(...PAUSES_MS) * (1 + JITTER);

/** The pause after that many failures, varied by up to a fifth with `random` (0 to 1); null when there is no further retry. */
export function retryPauseMs(failures: number, random: number): number | null {
  const pause = PAUSES_MS[failures - 1];
  return pause === undefined ? null : Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}

/** The same pauses for what is asked for without end: after the last of them it is repeated. */
export function endlessRetryPauseMs(failures: number, random: number): number {
  return retryPauseMs(Math.min(failures, PAUSES_MS.length), random) ?? 0;
}

const MIN_LOOK_UP_MS = 2 * SECOND_MS;
/** Whatever it waits for: a look-up that is due later was postponed by a wrong clock. */
export const LONGEST_LOOK_UP_PAUSE_MS = 10 * MINUTE_MS;

/**
 * The pause before the next look-up of a lost answer: short at first, then growing with the time since it was sent, without end. A time
 * in the future was written by another clock: how far ahead it is says as much.
 */
export function lookUpPauseMs(sinceSentMs: number): number {
  return Math.min(LONGEST_LOOK_UP_PAUSE_MS, Math.max(MIN_LOOK_UP_MS, Math.round(Math.abs(sinceSentMs) / 2)));
}
