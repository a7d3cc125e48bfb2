import {
  absolute,
  add,
  compare,
  type Decimal,
  isNegative,
  isZero,
  negate,
  round,
  subtract,
  sum,
  unitsAt,
} from '../../../../domain/values/decimal.ts';
import { byIndicator, netOf, type TaxedLine } from '../lines/priced-line.ts';
import { CENT, HALF_CENT, ITEM_DECIMALS, percentOf } from './money.ts';

/** Lines whose VAT is stated together: of a tax category, or of one tax indicator where its subtotals divide it so. */
export type VatGroup = { readonly lines: readonly TaxedLine[]; readonly vat: Decimal };

/** In units of the decimals of items. */
const HALF_CENT_UNITS = 50n;
/** For an item with a discount, whose VAT may have been rounded by itself: two halves of a cent cancel out. */
const ALMOST_A_CENT = 99n;

/** Whether the VAT is that of the lines, by rounding once or line by line. */
export function isExplained(lines: readonly TaxedLine[], vat: Decimal): boolean {
  const rest = difference({ lines, vat });
  if (compare(absolute(rest), HALF_CENT) <= 0) return true;
  return compare(absolute(rest), { units: roomIn(lines, adjustment(lines, rest)), scale: ITEM_DECIMALS }) <= 0;
}

/**
 * The same for one tax indicator of a category. Its VAT may be a part of that of the category, which was rounded once: then it is off by
 * less than a cent.
 */
export function isExplainedPart(lines: readonly TaxedLine[], vat: Decimal): boolean {
  return isExplained(lines, vat) || compare(absolute(difference({ lines, vat })), CENT) < 0;
}

/** How much more the VAT of these lines may differ from their rates in one direction, in units of the decimals of items. */
export type Room = {
  /** If the VAT of each was rounded. */
  readonly byLine: bigint;
  /** By everything that explains it. */
  readonly most: bigint;
};

export function roomLeft(group: VatGroup, isReduction: boolean): Room {
  const before = difference(group);
  const used = unitsAt(isReduction ? negate(before) : before, ITEM_DECIMALS);
  const left = (adjustableBy: Adjustment) => roomIn(group.lines, adjustableBy) - used;
  return { byLine: left(byLine(isReduction)), most: left(atMost(isReduction)) };
}

export function difference({ lines, vat }: VatGroup): Decimal {
  return subtract(vat, sum(lines.map((line) => line.vat)));
}

/** The larger an item, the less the same difference is of its VAT; items of the same size by the names of their tax indicators. */
export function partsOfDifference({ lines, vat }: VatGroup): readonly (readonly [TaxedLine, Decimal])[] {
  const rest = difference({ lines, vat });
  const adjustableBy = sufficient(lines, rest);
  let left = unitsAt(absolute(rest), ITEM_DECIMALS);
  const largestFirst = lines.toSorted(
    (one, other) => compare(absolute(netOf(other)), absolute(netOf(one))) || byIndicator(one, other),
  );
  return largestFirst.map((line) => {
    const most = adjustableBy(line);
    const units = most < left ? most : left;
    left -= units;
    return [line, { units: isNegative(rest) ? -units : units, scale: ITEM_DECIMALS }];
  });
}

/** By how many units the VAT of an item can change. */
type Adjustment = (line: TaxedLine) => bigint;

/** Half a cent for each item, as of an issuer that rounds the VAT of each line; where that does not suffice, more. Never beyond zero. */
function adjustment(lines: readonly TaxedLine[], rest: Decimal): Adjustment {
  const isReduction = isNegative(rest);
  const halves = byLine(isReduction);
  if (roomIn(lines, halves) >= unitsAt(absolute(rest), ITEM_DECIMALS)) return halves;
  return atMost(isReduction);
}

/** The same; where not even that suffices, the VAT is a part that is off by less than a cent: else items and document are more than a cent apart. */
function sufficient(lines: readonly TaxedLine[], rest: Decimal): Adjustment {
  const explained = adjustment(lines, rest);
  if (roomIn(lines, explained) >= unitsAt(absolute(rest), ITEM_DECIMALS)) return explained;
  return ({ vat }) => adjustable(vat, isNegative(rest), ALMOST_A_CENT);
}

function atMost(isReduction: boolean): Adjustment {
  return (line) => adjustable(line.vat, isReduction, isZero(line.discount) ? netRoundedUnits(line) : ALMOST_A_CENT);
}

function byLine(isReduction: boolean): Adjustment {
  return ({ vat }) => adjustable(vat, isReduction, HALF_CENT_UNITS);
}

/** An issuer that starts from prices with VAT rounds the net, and the VAT is what is left: that adds the rate of half a cent. */
function netRoundedUnits({ treatment }: TaxedLine): bigint {
  return unitsAt(round(add(HALF_CENT, percentOf(HALF_CENT, treatment.rate)), ITEM_DECIMALS), ITEM_DECIMALS);
}

function roomIn(lines: readonly TaxedLine[], adjustableBy: Adjustment): bigint {
  return lines.reduce((units, line) => units + adjustableBy(line), 0n);
}

/** More than half a cent at most doubles the VAT: thousands of tiny items with discounts could have more VAT than net otherwise. */
function adjustable(vat: Decimal, isReduction: boolean, most: bigint): bigint {
  if (isZero(vat)) return 0n;
  const own = unitsAt(absolute(vat), ITEM_DECIMALS);
  if (own >= most) return most;
  const isTowardsZero = isNegative(vat) !== isReduction;
  return isTowardsZero || own > HALF_CENT_UNITS ? own : HALF_CENT_UNITS;
}
