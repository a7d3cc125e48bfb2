import { TOTAL_DECIMALS } from '../../../domain/invoices/stated-totals.ts';
import { add, compare, type Decimal, isNegative, round, subtract, unitsAt } from '../../../domain/values/decimal.ts';
import { WORKING_DECIMALS } from '../conversion/totals/money.ts';

/** The numbers from one up to but without another. */
export type Range = { readonly least: Decimal; readonly below: Decimal };

/** What differs from a value by `most` at most; rounding half away from zero does not take the upper end. */
export function rangeOf(value: Decimal, most: Decimal): Range {
  return { least: subtract(value, most), below: add(value, most) };
}

export function shifted({ least, below }: Range, by: Decimal): Range {
  return { least: add(least, by), below: add(below, by) };
}

/** The preferred number if it is in all ranges, else one with the fewest decimals; null where there is none. */
export function shortestIn(ranges: readonly Range[], preferred: Decimal): Decimal | null {
  const [shortest] = shortNumbersIn(ranges, preferred);
  return shortest ?? null;
}

/** Numbers that are in all ranges and not negative: the preferred one, then with more and more decimals, near either end. */
export function* shortNumbersIn(ranges: readonly Range[], preferred: Decimal): Generator<Decimal> {
  if (isIn(ranges, preferred)) yield preferred;
  const [first, ...others] = ranges;
  if (first === undefined) return;
  const least = others.reduce((one, { least: other }) => (compare(other, one) > 0 ? other : one), first.least);
  const below = others.reduce((one, { below: other }) => (compare(other, one) < 0 ? other : one), first.below);
  if (compare(least, below) >= 0) return;
  for (let decimals = TOTAL_DECIMALS; decimals <= WORKING_DECIMALS; decimals += 1) {
    const ends = [roundedUp(least, decimals), subtract(roundedUp(below, decimals), { units: 1n, scale: decimals })];
    for (const value of ends) if (!isNegative(value) && isIn(ranges, value)) yield value;
  }
}

function isIn(ranges: readonly Range[], value: Decimal): boolean {
  return ranges.every(({ least, below }) => compare(value, least) >= 0 && compare(value, below) < 0);
}

function roundedUp(value: Decimal, decimals: number): Decimal {
  const nearest = round(value, decimals);
  return compare(nearest, value) >= 0 ? nearest : { units: unitsAt(nearest, decimals) + 1n, scale: decimals };
}
