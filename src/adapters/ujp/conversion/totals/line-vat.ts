import { message } from '../../../../domain/messages/message.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  isNegative,
  isZero,
  round,
  subtract,
  sum,
  unitsAt,
  ZERO,
} from '../../../../domain/values/decimal.ts';
import { notExpressible } from '../conversion-failure.ts';
import { byIndicator, netOf, type PricedLine, type TaxedLine } from '../lines/priced-line.ts';
import { categoryKey, namedCategory } from '../vat/vat-category.ts';
import { CENT, HALF_CENT, ITEM_DECIMALS, percentOf, TOTAL_DECIMALS } from './money.ts';
import { isSameTotal, shownAmount, totalsMismatch } from './totals-mismatch.ts';
import type { DividedCategories, DividedCategory, StatedVat } from './vat-subtotals.ts';

export type ChargedVat = {
  readonly lines: readonly TaxedLine[];
  readonly groups: readonly VatGroup[];
};

/** Lines whose VAT is stated together: of a tax category, or of one tax indicator where its subtotals divide it so. */
type VatGroup = { readonly lines: readonly TaxedLine[]; readonly vat: Decimal };

/** In units of the decimals of items. */
const HALF_CENT_UNITS = 50n;
/** Almost a cent: the VAT of a discount may have been rounded by itself, and two halves of a cent cancel out. */
const DISCOUNTED_UNITS = 99n;

/**
 * The VAT of items and categories. A category has the VAT that the document states, else the rate of its sum. An item has the
 * rate of its net; what its group differs from that is distributed over its items where it is more than rounding once to two
 * decimals, so that the VAT of the items adds up to that of VAT row and document.
 */
export function chargedVat(
  taxed: readonly TaxedLine[],
  stated: ReadonlyMap<string, StatedVat>,
  divided: DividedCategories,
): ChargedVat {
  const byCategory = Map.groupBy(taxed, ({ category }) => categoryKey(category));
  const groups = [...byCategory].flatMap(([key, lines]) =>
    dividedGroups({ lines, vat: categoryVat(lines, stated.get(key), divided.get(key)) }, divided.get(key)),
  );
  const differences = groups.map(difference);
  const isRounding =
    differences.every((one) => compare(absolute(one), HALF_CENT) <= 0) &&
    compare(absolute(sum(differences)), CENT) <= 0;
  if (isRounding) return { lines: taxed, groups };
  const parts = new Map(groups.flatMap(partsOfDifference));
  const adjusted = (line: TaxedLine) => ({ ...line, vat: add(line.vat, parts.get(line) ?? ZERO) });
  return {
    lines: taxed.map(adjusted),
    groups: groups.map(({ lines, vat }) => ({ lines: lines.map(adjusted), vat })),
  };
}

/**
 * The stated VAT of each tax indicator; lines of any other have what is left of that of the category. Sums are rounded as they grow, by the
 * names of the indicators: the order of the subtotals says nothing.
 */
function dividedGroups(category: VatGroup, indicators: DividedCategory | undefined): readonly VatGroup[] {
  if (indicators === undefined) return [category];
  const linesOf = Map.groupBy(category.lines, ({ treatment: { indicator } }) =>
    indicators.has(indicator) ? indicator : null,
  );
  const inOrder = [...indicators].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const groups = [...inOrder, [null, null] as const].flatMap(([indicator, stated]) => {
    const lines = linesOf.get(indicator);
    return lines === undefined ? [] : { lines, stated: stated?.vat ?? ZERO };
  });
  let total = ZERO;
  let before = ZERO;
  return groups.map(({ lines, stated }, index) => {
    total = add(total, stated);
    const next = index === groups.length - 1 ? category.vat : round(total, TOTAL_DECIMALS);
    const vat = subtract(next, before);
    before = next;
    return { lines, vat };
  });
}

/** An item with the VAT of its net, before the stated VAT is distributed. */
export function atRate(line: PricedLine): TaxedLine {
  const vat = line.treatment.impact === 'STANDARD' ? percentOf(netOf(line), line.treatment.rate) : ZERO;
  return { ...line, vat: round(vat, ITEM_DECIMALS) };
}

function difference({ lines, vat }: VatGroup): Decimal {
  return subtract(vat, sum(lines.map((line) => line.vat)));
}

function categoryVat(
  lines: readonly TaxedLine[],
  stated: StatedVat | undefined,
  indicators: DividedCategory | undefined,
): Decimal {
  const charged = lines.filter(({ treatment }) => treatment.impact === 'STANDARD');
  const computed = round(sum(charged.map((line) => percentOf(netOf(line), line.treatment.rate))), TOTAL_DECIMALS);
  if (stated === undefined) return isExplained(lines, computed) ? computed : refuseUnstated(lines, computed);
  const taxable = sum(lines.map(netOf));
  const possible = indicators === undefined ? [taxable] : [taxable, sumOfRoundedRows(lines)];
  const { taxable: base } = stated;
  if (base !== null && !possible.some((one) => isSameTotal(base, one))) {
    const figures = { stated: shownAmount(base), computed: shownAmount(round(taxable, TOTAL_DECIMALS)) };
    const values = { ...nameOf(lines), ...figures };
    totalsMismatch(message('taxable-of-category-differs', values), `${stated.path}/cbc:TaxableAmount`);
  }
  const vat = round(stated.vat, TOTAL_DECIMALS);
  if (!isExplained(lines, vat)) {
    const values = { ...nameOf(lines), stated: shownAmount(stated.vat), computed: shownAmount(computed) };
    totalsMismatch(message('vat-of-category-differs', values), `${stated.path}/cbc:TaxAmount`);
  }
  return vat;
}

/** Subtotals that divide a category are rounded one by one: with lines of more than two decimals they need not add up to it. */
function sumOfRoundedRows(lines: readonly TaxedLine[]): Decimal {
  const rows = Map.groupBy(lines, ({ treatment }) => treatment.indicator).values();
  return sum([...rows].map((row) => round(sum(row.map(netOf)), TOTAL_DECIMALS)));
}

/** Of thousands of lines worth less than a cent each, the sum has VAT and no line does. */
function refuseUnstated(lines: readonly TaxedLine[], vat: Decimal): never {
  const values = { ...nameOf(lines), vat: shownAmount(vat) };
  return notExpressible(message('vat-of-no-line', values), lines[0]?.path ?? '/');
}

/** All lines have the same category. */
function nameOf([first]: readonly TaxedLine[]): ReturnType<typeof namedCategory> {
  return namedCategory(first?.category ?? null);
}

/** Whether the VAT is that of the lines, by rounding once or line by line. */
export function isExplained(lines: readonly TaxedLine[], vat: Decimal): boolean {
  const rest = difference({ lines, vat });
  if (compare(absolute(rest), HALF_CENT) <= 0) return true;
  return compare(absolute(rest), { units: roomIn(lines, adjustment(lines, rest)), scale: ITEM_DECIMALS }) <= 0;
}

/** The larger an item, the less the same difference is of its VAT; items of the same size by the names of their tax indicators. */
function partsOfDifference({ lines, vat }: VatGroup): readonly (readonly [TaxedLine, Decimal])[] {
  const rest = difference({ lines, vat });
  const adjustableBy = adjustment(lines, rest);
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
  const byLine: Adjustment = ({ vat }) => adjustable(vat, isReduction, HALF_CENT_UNITS);
  if (roomIn(lines, byLine) >= unitsAt(absolute(rest), ITEM_DECIMALS)) return byLine;
  return (line) => adjustable(line.vat, isReduction, isZero(line.discount) ? netRoundedUnits(line) : DISCOUNTED_UNITS);
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
