import { hasFourDigitYear, parseInstant } from '../../../domain/values/instant.ts';
import { skopjeDateTime } from '../../../domain/values/skopje-date-time.ts';
import { createBoundedMap } from '../../platform/bounded-map.ts';

const HOUR_MS = 3_600_000;
const MINUTES = 'mm:ss';
/** Winter and summer time. */
const HOURS_AHEAD_OF_UTC = [1, 2];
const OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/iu;

/** Date and hour in Skopje by the hour of UTC. The minutes are the same, and few hours are asked for, again and again. */
const localHours = createBoundedMap<number, string>(100);

/** An instant as the authority writes it: local time of Skopje, `YYYY-MM-DDTHH:mm:ss`. */
export function skopjeTime(timeMs: number): string {
  return localHour(Math.floor(timeMs / HOUR_MS)) + isoSeconds(timeMs).slice(-MINUTES.length);
}

function localHour(hour: number): string {
  const known = localHours.get(hour);
  if (known !== undefined) return known;
  const local = skopjeDateTime(hour * HOUR_MS)
    .slice(0, -MINUTES.length)
    .replace(' ', 'T');
  localHours.set(hour, local);
  return local;
}

/**
 * The instant of a date-time as the authority writes it: local time of Skopje unless it says otherwise. In the hour that the
 * end of summer time repeats, the one nearer to `near` is meant. Null for what no clock in Skopje ever shows.
 */
export function skopjeInstant(value: unknown, near: number): number | null {
  const [nearest] = skopjeInstants(value).toSorted((one, other) => Math.abs(one - near) - Math.abs(other - near));
  return nearest ?? null;
}

/** Every instant that such a date-time can mean, the earliest first: two in the hour that the end of summer time repeats. */
export function skopjeInstants(value: unknown): readonly number[] {
  const asUtc = typeof value === 'string' ? parseInstant(value, 'down') : null;
  if (asUtc === null || !hasFourDigitYear(asUtc)) return [];
  if (OFFSET.test(String(value))) return [asUtc];
  const seconds = isoSeconds(asUtc);
  return HOURS_AHEAD_OF_UTC.map((hours) => asUtc - hours * HOUR_MS)
    .filter((instant) => skopjeTime(instant) === seconds)
    .toSorted((one, other) => one - other);
}

function isoSeconds(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 19);
}
