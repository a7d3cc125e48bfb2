// Swedish writes dates as ISO 8601 does.
const SKOPJE = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Skopje', dateStyle: 'short' });

/** The calendar day in Skopje, `YYYY-MM-DD`: validity dates of the authority are days there. */
export function skopjeDay(timeMs: number): string {
  return SKOPJE.format(timeMs);
}
