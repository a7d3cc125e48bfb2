import { fc } from './seeds.ts';

const HOUR_MS = 3_600_000;
const FIRST_YEAR = 2026;
const LAST_YEAR = 2029;
const MARCH = 2;
const OCTOBER = 9;

/** The clocks of Europe change at 1:00 UTC on the last Sunday of March and of October. */
function clockChange(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0, 1));
  return last.getTime() - last.getUTCDay() * 24 * HOUR_MS;
}

const clockChanges = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index).flatMap(
  (year) => [clockChange(year, MARCH), clockChange(year, OCTOBER)],
);

/** Every second one is less than three days from a change of the clock, when days have 23 or 25 hours. */
export const anySkopjeTime = fc.oneof(
  fc.integer({ min: Date.UTC(FIRST_YEAR, 0, 1), max: Date.UTC(LAST_YEAR + 1, 0, 1) }),
  fc
    .tuple(fc.constantFrom(...clockChanges), fc.integer({ min: -72 * HOUR_MS, max: 72 * HOUR_MS }))
    .map(([change, away]) => change + away),
);
