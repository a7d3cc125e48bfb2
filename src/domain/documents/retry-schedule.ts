const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses after the first, second, … failed try; after the last one there is no other. Together a little over two days. */
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

/** What failed together should not come back together. */
const JITTER = 0.2;

/** How long to wait after so many failures, give or take a fifth by `random` (0 to 1); null when it is enough. */
export function retryPauseMs(failures: number, random: number): number | null {
  const pause = PAUSES_MS[failures - 1];
  return pause === undefined ? null : Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}

const SHORTEST_LOOK_MS = 2 * SECOND_MS;
const LONGEST_LOOK_MS = 10 * MINUTE_MS;

/** When to look again for an answer that was lost this long ago: soon at first, then ever less often, without end. */
export function lookAgainMs(sinceSentMs: number): number {
  return Math.min(LONGEST_LOOK_MS, Math.max(SHORTEST_LOOK_MS, Math.round(sinceSentMs / 2)));
}
