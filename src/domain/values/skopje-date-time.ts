let format: Intl.DateTimeFormat | null = null;

/** Date and time in Skopje, `YYYY-MM-DD HH:mm:ss`: Swedish writes them as ISO 8601 does, apart from the blank between them. */
export function skopjeDateTime(timeMs: number): string {
  // With the first use: time zones are loaded then, which takes 30 ms of every command and of every thread.
  format ??= new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Skopje', dateStyle: 'short', timeStyle: 'medium' });
  return format.format(timeMs);
}
