const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago something was, for people: the largest unit of which it has at least two. */
export function showAge(ageMs: number): string {
  if (ageMs >= 2 * DAY_MS) return `${Math.floor(ageMs / DAY_MS)}d`;
  if (ageMs >= 2 * HOUR_MS) return `${Math.floor(ageMs / HOUR_MS)}h`;
  if (ageMs >= 2 * MINUTE_MS) return `${Math.floor(ageMs / MINUTE_MS)}min`;
  return `${Math.max(0, Math.floor(ageMs / SECOND_MS))}s`;
}
