import { parseInstant } from '../../../domain/values/instant.ts';
import { skopjeDay } from '../../../domain/values/skopje-day.ts';

const LENGTH = 'YYYY-MM-DD'.length;
const OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/iu;

/**
 * The day, in Skopje, of a date-time as the authority writes it: `2026-04-28 10:13:35` and `2026-04-28T10:13:35` are
 * local time, a `Z` makes it UTC. The last second there is, which programs write for never, is of its own day: the next one has a year of five
 * digits, and would be before all others. What cannot be read sets no bound: the entry's activity flag still decides.
 */
export function authorityDate(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const instant = parseInstant(value, 'down');
  if (instant === null) return null;
  const written = value.slice(0, LENGTH);
  const day = OFFSET.test(value) ? skopjeDay(instant) : written;
  return day.length === LENGTH ? day : written;
}
