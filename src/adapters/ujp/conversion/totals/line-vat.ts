import { isSameTotal, TOTAL_DECIMALS } from '../../../../domain/invoices/stated-totals.ts';
import { type Message, message } from '../../../../domain/messages/message.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  isZero,
  round,
  subtract,
  sum,
  ZERO,
} from '../../../../domain/values/decimal.ts';
import { notExpressible } from '../conversion-failure.ts';
import { netOf, type PricedLine, type TaxedLine } from '../lines/priced-line.ts';
import { categoryKey, namedCategory } from '../vat/vat-category.ts';
import { CENT, HALF_CENT, ITEM_DECIMALS, percentOf } from './money.ts';
import { shownAmount, shownSum, totalsMismatch } from './totals-mismatch.ts';
import { difference, isExplained, partsOfDifference, type VatGroup } from './vat-adjustment.ts';
import { divideVat } from './vat-division.ts';
import { type DividedCategories, type DividedCategory, type StatedVat, taxableParts } from './vat-subtotals.ts';

type CategoryFigures = ReturnType<typeof namedCategory> & { readonly stated: string; readonly computed: string };

export type ChargedVat = {
  readonly lines: readonly TaxedLine[];
  /** Those of one tax indicator in one category each. */
  readonly groups: readonly VatGroup[];
  /** How many times VAT was rounded: for each category, or for each tax indicator where its subtotals divide it so. */
  readonly roundings: number;
};

/**
 * The VAT of items and categories. A category has the VAT that the document states, else the rate of its sum. An item has the
 * rate of its net; what its group differs from that is distributed over its items where it is more than rounding once to two
 * decimals, so that the VAT of the items adds up to that of VAT row and document.
 */
export function chargedVat(
  taxed: readonly TaxedLine[],
  stated: ReadonlyMap<string, StatedVat>,
  divided: DividedCategories,
  total: Decimal | null,
): ChargedVat {
  const byCategory = Map.groupBy(taxed, ({ category }) => categoryKey(category));
  const groupsOf = ([key, lines]: readonly [string, readonly TaxedLine[]]) =>
    dividedGroups({ lines, vat: categoryVat(lines, stated.get(key), divided.get(key)) }, divided.get(key));
  const statedGroups = [...byCategory].filter(([key]) => stated.has(key)).flatMap(groupsOf);
  const computedGroups = [...byCategory].filter(([key]) => !stated.has(key)).flatMap(groupsOf);
  const roundings = statedGroups.length + computedGroups.length;
  const left = total === null ? null : subtract(total, sum(statedGroups.map(({ vat }) => vat)));
  const otherGroups = (left && groupsOfTotal(left, computedGroups)) ?? computedGroups;
  const groups = [...statedGroups, ...otherGroups].flatMap(groupsOfIndicators);
  const differences = groups.map(difference);
  const isRounding =
    differences.every((one) => compare(absolute(one), HALF_CENT) <= 0) &&
    compare(absolute(sum(differences)), CENT) <= 0;
  if (isRounding) return { lines: taxed, groups, roundings };
  const parts = new Map(groups.flatMap(partsOfDifference));
  const adjusted = (line: TaxedLine) => ({ ...line, vat: add(line.vat, parts.get(line) ?? ZERO) });
  return {
    lines: taxed.map(adjusted),
    groups: groups.map(({ lines, vat }) => ({ lines: lines.map(adjusted), vat })),
    roundings,
  };
}

/**
 * Of categories without subtotals the total, less that of the others, is all that is stated of the VAT: where it is not that of the
 * categories, it may be that of their lines. Each category has to explain its part: on the way back from UBL it is stated.
 */
function groupsOfTotal(total: Decimal, categories: readonly VatGroup[]): readonly VatGroup[] | null {
  const vat = round(total, TOTAL_DECIMALS);
  if (compare(vat, sum(categories.map((one) => one.vat))) === 0) return null;
  const lines = categories.flatMap((one) => one.lines);
  const divided = divideVat(
    vat,
    linesByName(lines, ({ category }) => categoryKey(category)),
  );
  return divided.isExplained ? divided.groups : null;
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

/** VAT that is stated together for several tax indicators of a category. */
export function groupsOfIndicators({ lines, vat }: VatGroup): readonly VatGroup[] {
  const rows = linesByName(lines, ({ treatment }) => treatment.indicator);
  return rows.length === 1 ? [{ lines, vat }] : divideVat(vat, rows).groups;
}

/** The lines of each name, by these: the order of the lines says nothing. */
function linesByName(
  lines: readonly TaxedLine[],
  nameOf: (line: TaxedLine) => string,
): readonly (readonly TaxedLine[])[] {
  const named = [...Map.groupBy(lines, nameOf)];
  return named.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, own]) => own);
}

/** An item with the VAT of its net, before the stated VAT is distributed. */
export function atRate(line: PricedLine): TaxedLine {
  const vat = line.treatment.impact === 'STANDARD' ? percentOf(netOf(line), line.treatment.rate) : ZERO;
  return { ...line, vat: round(vat, ITEM_DECIMALS) };
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
    const figures = {
      stated: shownSum(taxableParts(stated.parts)),
      computed: shownAmount(round(taxable, TOTAL_DECIMALS)),
    };
    const values = { ...nameOf(lines), ...figures };
    totalsMismatch(message('taxable-of-category-differs', values), `${stated.path}/cbc:TaxableAmount`);
  }
  const vat = round(stated.vat, TOTAL_DECIMALS);
  if (!isExplained(lines, vat)) {
    const parts = stated.parts.map((part) => part.vat);
    const values = { ...nameOf(lines), stated: shownSum(parts), computed: shownAmount(computed) };
    totalsMismatch(vatDiffers(lines, stated.vat, values), `${stated.path}/cbc:TaxAmount`);
  }
  return vat;
}

/** Whoever states the rate of a reverse charge may state its VAT as well, which is zero: that both contradict each other has to be said. */
function vatDiffers(lines: readonly TaxedLine[], stated: Decimal, values: CategoryFigures): Message {
  const indicators = reversedWithin(stated, sum(lines.map(({ vat }) => vat)), lines);
  if (indicators === null) return message('vat-of-category-differs', values);
  return message('vat-of-reverse-charge-differs', { ...values, indicators });
}

/**
 * The tax indicators of the reverse charges whose VAT a stated figure contains, which without it would be the computed one; null if it
 * contains none. Where there is nothing else to have VAT, any VAT is theirs.
 */
export function reversedWithin(stated: Decimal, computed: Decimal, lines: readonly TaxedLine[]): string | null {
  const reversed = lines.filter(({ treatment }) => treatment.impact === 'PRENESEN');
  if (reversed.length === 0) return null;
  const byCategory = Map.groupBy(reversed, ({ category }) => categoryKey(category)).values();
  const owedBy = (own: readonly TaxedLine[]) => sum(own.map((line) => percentOf(netOf(line), line.treatment.rate)));
  const owed = sum([...byCategory].map((own) => round(owedBy(own), TOTAL_DECIMALS)));
  const isAlone = reversed.length === lines.length && isZero(computed);
  if (!isAlone && !isSameTotal(stated, add(computed, owed))) return null;
  return [...new Set(reversed.map(({ treatment }) => treatment.indicator))].join(', ');
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
