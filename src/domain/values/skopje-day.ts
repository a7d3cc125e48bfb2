// The Swedish locale formats dates as ISO 8601.
const SKOPJE = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Skopje', dateStyle: 'short' });

/** The calendar day in Skopje, `YYYY-MM-DD`: the authority's dates are days in that time zone. */
export function skopjeDay(timeMs: number): string {
  return SKOPJE.format(timeMs);
}
