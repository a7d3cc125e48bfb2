// Swedish writes date and time as ISO 8601 does, apart from the blank between them.
const skopje = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Skopje', dateStyle: 'short', timeStyle: 'medium' });

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/u;
const HOUR_MS = 3_600_000;
/** Winter and summer time. */
const HOURS_AHEAD_OF_UTC = [1, 2];

/** What the clocks show when an hour of UTC begins. Few hours are asked for, again and again. */
const beginnings = new Map<number, string>();
const MOST_BEGINNINGS = 100;

/** The authority's way to write an instant: local time of Skopje, no offset, no fraction. */
export function skopjeTime(instant: Date): string {
  // Skopje is whole hours ahead of UTC, so its minutes and seconds are the same.
  const minutes = instant.toISOString().slice(14, 19);
  return beginningOf(Math.floor(instant.getTime() / HOUR_MS)).slice(0, -minutes.length) + minutes;
}

function beginningOf(hour: number): string {
  const known = beginnings.get(hour);
  if (known !== undefined) return known;
  if (beginnings.size === MOST_BEGINNINGS) beginnings.clear();
  const beginning = skopje.format(hour * HOUR_MS).replace(' ', 'T');
  beginnings.set(hour, beginning);
  return beginning;
}

/**
 * The instants that such a text can mean: two in the hour that the end of summer time repeats, none for the hour that
 * its beginning leaves out and for anything else that no clock in Skopje ever shows.
 */
export function skopjeInstants(text: string): readonly Date[] {
  const asUtc = LOCAL_TIME.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return [];
  return HOURS_AHEAD_OF_UTC.map((hours) => new Date(asUtc - hours * HOUR_MS)).filter(
    (instant) => skopjeTime(instant) === text,
  );
}

/** When a day begins in Skopje and when the next one does, in milliseconds; the clocks never change at midnight. */
export function skopjeDay(day: string): { readonly start: number; readonly end: number } {
  const next = new Date(Date.parse(day) + 24 * HOUR_MS).toISOString().slice(0, 10);
  const [start = Number.NaN, end = Number.NaN] = [day, next].map((one) =>
    skopjeInstants(`${one}T00:00:00`)[0]?.getTime(),
  );
  return { start, end };
}
