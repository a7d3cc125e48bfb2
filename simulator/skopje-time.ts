// The Swedish format is that of ISO 8601, but with a space between date and time.
const skopje = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Skopje', dateStyle: 'short', timeStyle: 'medium' });

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/u;
const HOUR_MS = 3_600_000;
/** Winter and summer time. */
const HOURS_AHEAD_OF_UTC = [1, 2];

/** A cache: local time at the start of an hour of UTC. Formatting is slow, and nearly all calls need the same few hours. */
const hourStarts = new Map<number, string>();
const MAX_CACHED_HOURS = 100;

/** An instant as the authority writes it: local time of Skopje, no offset, no fraction. */
export function skopjeTime(instant: Date): string {
  // The offset from UTC is whole hours, so minutes and seconds are those of UTC.
  const minutes = instant.toISOString().slice(14, 19);
  return hourStart(Math.floor(instant.getTime() / HOUR_MS)).slice(0, -minutes.length) + minutes;
}

function hourStart(hour: number): string {
  const known = hourStarts.get(hour);
  if (known !== undefined) return known;
  if (hourStarts.size === MAX_CACHED_HOURS) hourStarts.clear();
  const start = skopje.format(hour * HOUR_MS).replace(' ', 'T');
  hourStarts.set(hour, start);
  return start;
}

/**
 * The instants that a local time can mean: two in the hour that is repeated when summer time ends, none in the hour that
 * is skipped when it begins, and none for a text that is no local time.
 */
export function skopjeInstants(text: string): readonly Date[] {
  const asUtc = LOCAL_TIME.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return [];
  return HOURS_AHEAD_OF_UTC.map((hours) => new Date(asUtc - hours * HOUR_MS)).filter(
    (instant) => skopjeTime(instant) === text,
  );
}

/** Start and end of a day in Skopje, in milliseconds. Midnight is unambiguous: summer time never begins or ends there. */
export function skopjeDay(day: string): { readonly start: number; readonly end: number } {
  const next = new Date(Date.parse(day) + 24 * HOUR_MS).toISOString().slice(0, 10);
  const [start = Number.NaN, end = Number.NaN] = [day, next].map((one) =>
    skopjeInstants(`${one}T00:00:00`)[0]?.getTime(),
  );
  return { start, end };
}
