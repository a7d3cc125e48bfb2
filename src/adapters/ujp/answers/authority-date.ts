import { parseInstant } from '../../../domain/values/instant.ts';
import { skopjeDay } from '../../../domain/values/skopje-day.ts';

const OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/iu;

/**
 * The day, in Skopje, of a date-time as the authority writes it: `2026-04-28 10:13:35` and `2026-04-28T10:13:35` are
 * local time, a `Z` makes it UTC. What cannot be read sets no bound: the entry's activity flag still decides.
 */
export function authorityDate(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const instant = parseInstant(value, 'down');
  if (instant === null) return null;
  return OFFSET.test(value) ? skopjeDay(instant) : value.slice(0, 10);
}
