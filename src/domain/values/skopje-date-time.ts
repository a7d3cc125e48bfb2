const LENGTH = 'YYYY-MM-DD HH:mm:ss'.length;

let format: Intl.DateTimeFormat | null = null;

/** Date and time in Skopje, `YYYY-MM-DD HH:mm:ss`: Swedish writes them as ISO 8601 does, apart from the blank between them. */
export function skopjeDateTime(timeMs: number): string {
  // With the first use: time zones are loaded then, which takes 30 ms of every command and of every thread.
  format ??= new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Skopje', dateStyle: 'short', timeStyle: 'medium' });
  // It writes years before 1000 with fewer digits.
  return format.format(timeMs).padStart(LENGTH, '0');
}
