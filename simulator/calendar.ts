const DATE = /^\d{4}-\d\d-\d\d$/u;
const DAY_MS = 86_400_000;

/** Whether the text is an existing day, written YYYY-MM-DD. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

/** The same day of the next month, or its last day where it has no such day. */
export function oneMonthAfter(date: string): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

export function daysBetween(first: string, last: string): readonly string[] {
  const days: string[] = [];
  const end = Date.parse(last);
  for (let day = Date.parse(first); day <= end; day += DAY_MS) days.push(new Date(day).toISOString().slice(0, 10));
  return days;
}
