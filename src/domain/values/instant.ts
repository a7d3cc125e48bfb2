const DATE = /^(\d{4})-(\d{2})-(\d{2})$/u;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|[+-]\d{2}:\d{2})?$/u;

const MINUTE_MS = 60_000;
const LEAP_SECOND = '60';

/**
 * Reads an RFC 3339 date-time or a date (its first instant) as milliseconds since 1970; without an offset it is UTC. Times
 * are stored in milliseconds: `rounding` says which way a finer value is rounded, so that an inclusive limit stays exact.
 */
export function parseInstant(text: string, rounding: 'up' | 'down'): number | null {
  const date = DATE.exec(text);
  if (date !== null) return utcMs(date.slice(1, 4), ['0', '0', '0']);
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const seconds = utcMs(match.slice(1, 4), match.slice(4, 7));
  const offset = offsetMs(match[8]);
  if (seconds === null || offset === null) return null;
  // A leap second has no milliseconds of its own: what is not before it is of the next minute.
  if (match[6] === LEAP_SECOND) return seconds - offset - (rounding === 'down' ? 1 : 0);
  const fraction = (match[7] ?? '').padEnd(3, '0');
  const finer = /[1-9]/u.test(fraction.slice(3));
  return seconds - offset + Number(fraction.slice(0, 3)) + (finer && rounding === 'up' ? 1 : 0);
}

const [FIRST, LAST] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'].map(Date.parse) as [number, number];

/** RFC 3339 can write no other year, and texts with other years are not in the order of time. */
export function hasFourDigitYear(timeMs: number): boolean {
  return timeMs >= FIRST && timeMs <= LAST;
}

export function formatInstant(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

function utcMs(date: readonly string[], time: readonly string[]): number | null {
  const [year, month, day] = date.map(Number) as [number, number, number];
  const [hour, minute, second] = time.map(Number) as [number, number, number];
  // RFC 3339 allows a leap second; it ends where the next minute begins.
  if (hour > 23 || minute > 59 || second > 60) return null;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  const real = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  return real ? midnight.getTime() + (hour * 60 + minute) * MINUTE_MS + second * 1000 : null;
}

function offsetMs(offset: string | undefined): number | null {
  if (offset === undefined || offset.toUpperCase() === 'Z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(4));
  if (hours > 23 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}
