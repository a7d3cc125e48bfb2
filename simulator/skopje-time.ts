// Swedish writes date and time as ISO 8601 does, apart from the blank between them.
const skopje = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Skopje', dateStyle: 'short', timeStyle: 'medium' });

/** The authority's way to write an instant: local time of Skopje, no offset, no fraction. */
export function skopjeTime(instant: Date): string {
  return skopje.format(instant).replace(' ', 'T');
}
