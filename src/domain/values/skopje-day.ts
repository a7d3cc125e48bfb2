import { skopjeDateTime } from './skopje-date-time.ts';

const HOUR_MS = 3_600_000;

/** The calendar day in Skopje, `YYYY-MM-DD`: the authority's dates are days in that time zone. */
export function skopjeDay(timeMs: number): string {
  const [day = ''] = skopjeDateTime(timeMs).split(' ');
  return day;
}

/**
 * The first instant in Skopje of the day that begins in UTC at the given time. Skopje is one or two hours ahead; the clock
 * changes at night, but never at midnight.
 */
export function skopjeDayStart(utcMidnightMs: number): number {
  const day = new Date(utcMidnightMs).toISOString().slice(0, 10);
  const summer = utcMidnightMs - 2 * HOUR_MS;
  return skopjeDay(summer) === day ? summer : utcMidnightMs - HOUR_MS;
}
