import { parseInstant } from './instant.ts';
import { skopjeDateTime } from './skopje-date-time.ts';

const HOUR_MS = 3_600_000;
const UTC_DAY_MS = 24 * HOUR_MS;

/**
 * The calendar day in Skopje, `YYYY-MM-DD`: the authority's dates are days in that time zone. Twice a year a day has 23 or 25 hours, so that
 * other days are counted from this one by `daysAfter`, never in milliseconds.
 */
export function skopjeDay(timeMs: number): string {
  const [day = ''] = skopjeDateTime(timeMs).split(' ');
  return day;
}

/** So many days later, or earlier where `count` is negative. */
export function daysAfter(day: string, count: number): string {
  return new Date(Date.parse(day) + count * UTC_DAY_MS).toISOString().slice(0, 10);
}

/** One after the other, of at most so many days each: every day from the first to the last is in one of them. */
export function daySpans(first: string, last: string, mostDays: number): readonly DaySpan[] {
  const spans: DaySpan[] = [];
  for (let from = first; from <= last; from = daysAfter(from, mostDays)) {
    const end = daysAfter(from, mostDays - 1);
    spans.push({ from, to: end < last ? end : last });
  }
  return spans;
}

export type DaySpan = { readonly from: string; readonly to: string };

/** Skopje is one or two hours ahead of UTC; the clock changes at night, but never at midnight. */
export function skopjeDayStart(day: string): number {
  const utcMidnightMs = Date.parse(day);
  const summer = utcMidnightMs - 2 * HOUR_MS;
  return skopjeDay(summer) === day ? summer : utcMidnightMs - HOUR_MS;
}

/** A time limit, inclusive: a day without a time means its first or its last instant in Skopje. Null for anything else. */
export function parseTimeLimit(text: string, bound: 'from' | 'to'): number | null {
  const instant = parseInstant(text, bound === 'from' ? 'up' : 'down');
  if (instant === null || !/^\d{4}-\d{2}-\d{2}$/u.test(text)) return instant;
  return bound === 'from' ? skopjeDayStart(text) : skopjeDayStart(daysAfter(text, 1)) - 1;
}
