import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { AllowanceCharge, TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { message } from '../../../../domain/messages/message.ts';
import {
  absolute,
  compare,
  type Decimal,
  isNegative,
  isZero,
  ONE,
  round,
  sum,
  ZERO,
} from '../../../../domain/values/decimal.ts';
import { notExpressible } from '../conversion-failure.ts';
import { CHOSEN_LENGTH, shortened } from '../text-limits.ts';
import { ITEM_DECIMALS, type MoneyReader } from '../totals/money.ts';
import { shownAmount } from '../totals/totals-mismatch.ts';
import type { DividedCategories } from '../totals/vat-subtotals.ts';
import { reasonPath } from '../vat/exemption-reasons.ts';
import { categoryKey, vatCategory } from '../vat/vat-category.ts';
import type { AllowanceIndicator, VatTreatment } from '../vat/vat-treatment.ts';
import { type AllowanceTarget, createAllowancePools, isReducible, type ReducibleLines } from './allowance-pools.ts';
import { PIECE } from './line-text.ts';
import { netOf, type PricedLine } from './priced-line.ts';

/** The description of a charge that states no reason: "additional charge". */
export const CHARGE_DESCRIPTION = 'Дополнителен трошок';

type Needs = {
  readonly money: MoneyReader;
  readonly treatmentOf: (category: TaxCategory) => VatTreatment;
  /** The tax indicator of an allowance whose category states one; null where that cannot be told. */
  readonly indicatorOf: (category: TaxCategory) => AllowanceIndicator | null;
  /** What the document states for each tax indicator of these categories. */
  readonly dividedOf: (categories: readonly TaxCategory[]) => DividedCategories;
  readonly warnings: ConversionWarning[];
};

/** An allowance with what it is for; its amount is above zero. */
type Applied = AllowanceTarget & { readonly of: AllowanceCharge; readonly amount: Decimal };

/**
 * The authority's document has discounts on items only: an allowance of the whole document is distributed over the lines of
 * its tax category in proportion, a charge becomes an item of its own. A negative allowance is a charge, and the reverse.
 */
export function applyAllowanceCharges(
  lines: readonly PricedLine[],
  allowanceCharges: readonly AllowanceCharge[],
  needs: Needs,
): readonly PricedLine[] {
  const common = commonCategory(lines);
  const charges: PricedLine[] = [];
  const stated: Omit<Applied, 'indicator'>[] = [];
  for (const one of allowanceCharges) {
    const path = `${one.path}/cbc:Amount`;
    const amount =
      one.amount === null ? notExpressible(message('amount-missing'), path) : needs.money(one.amount, path);
    const rounded = amount.scale > ITEM_DECIMALS ? round(amount, ITEM_DECIMALS) : amount;
    if (isZero(rounded)) continue;
    const place = `${one.path}/cac:TaxCategory`;
    const ofLines = common && { ...common, path: place };
    const category = vatCategory(one.taxCategories, one.path) ?? ofLines ?? refuseWithoutCategory(place);
    if (one.isCharge !== isNegative(rounded)) charges.push(chargeLine(one, absolute(rounded), category, needs));
    else stated.push({ of: one, amount: absolute(rounded), category });
  }
  const all = [...lines, ...charges];
  const allowances = withIndicators(stated, all, needs);
  if (allowances.length === 0) return all;
  const divided = needs.dividedOf([...all, ...allowances].map(({ category }) => category));
  const pools = createAllowancePools(all, allowances, unreducedCharges(lines, charges, allowances), divided);
  const refuseUnreducible = createRefusal(all);
  for (const allowance of allowances) {
    refuseUnreducible(allowance);
    reduce(pools.linesOf(allowance), allowance.amount, allowance.of.path);
  }
  return pools.reducedLines();
}

/**
 * An allowance is for one tax indicator only if it states that of some lines; which others of its category it would reduce is a guess.
 * Those come first: what is for a whole category finds room in its other lines.
 */
function withIndicators(
  stated: readonly Omit<Applied, 'indicator'>[],
  lines: readonly PricedLine[],
  { indicatorOf }: Needs,
): readonly Applied[] {
  const reducible = lines.filter(isReducible);
  const known = new Set(reducible.map(({ category, treatment }) => indicatorKey(category, treatment.indicator)));
  const categories = new Set(reducible.map(({ category }) => categoryKey(category)));
  const allowances = stated.map((one) => {
    const own = indicatorOf(one.category);
    if (own !== null && known.has(indicatorKey(one.category, own.code))) return { ...one, indicator: own.code };
    if (own?.isCertain && categories.has(categoryKey(one.category))) refuseWithoutIndicator(own.code, one.category);
    return { ...one, indicator: null };
  });
  return allowances.toSorted((one, other) => Number(one.indicator === null) - Number(other.indicator === null));
}

/** A charge is reduced only where its category or tax indicator has allowances that are more than the lines, or no lines at all. */
function unreducedCharges(
  lines: readonly PricedLine[],
  charges: readonly PricedLine[],
  allowances: readonly Applied[],
): ReadonlySet<PricedLine> {
  const isShort = createShortage(lines, allowances, ({ category }) => categoryKey(category));
  const isShortOfIndicator = createShortage(lines, allowances, ({ category, indicator }) =>
    indicatorKey(category, indicator),
  );
  return new Set(charges.filter((charge) => !isShort(targetOf(charge)) && !isShortOfIndicator(targetOf(charge))));
}

/** Whether the allowances of a target are more than its lines. */
function createShortage(
  lines: readonly PricedLine[],
  allowances: readonly Applied[],
  keyOf: (target: AllowanceTarget) => string,
): (target: AllowanceTarget) => boolean {
  const worth = Map.groupBy(lines.filter(isReducible), (line) => keyOf(targetOf(line)));
  const short = [...Map.groupBy(allowances, keyOf)].filter(([key, own]) => {
    const most = sum((worth.get(key) ?? []).map(netOf));
    return compare(sum(own.map(({ amount }) => amount)), most) > 0;
  });
  const keys = new Set(short.map(([key]) => key));
  return (target) => keys.has(keyOf(target));
}

function targetOf({ category, treatment }: PricedLine): AllowanceTarget {
  return { category, indicator: treatment.indicator };
}

function indicatorKey(category: TaxCategory, indicator: string | null): string {
  return JSON.stringify([categoryKey(category), indicator]);
}

/** For an allowance whose category has no line that can be reduced. One whose lines are worth nothing, or used up, exceeds them. */
function createRefusal(lines: readonly PricedLine[]): (allowance: Applied) => void {
  const byCategory = Map.groupBy(lines, ({ category }) => categoryKey(category));
  const unreducible = new Set([...byCategory].filter(([, own]) => !own.some(isReducible)).map(([key]) => key));
  return ({ category, of: { path } }) => {
    const key = categoryKey(category);
    if (unreducible.has(key)) notExpressible(message('allowance-of-returns'), path);
    if (!byCategory.has(key)) notExpressible(message('allowance-without-lines'), path);
  };
}

function reduce(lines: ReducibleLines, stated: Decimal, path: string): void {
  const { left } = lines;
  if (compare(stated, left) > 0) {
    const values = { allowance: shownAmount(stated), lines: shownAmount(left) };
    notExpressible(message('allowance-exceeds-lines', values), path);
  }
  lines.reduce(stated);
}

function chargeLine(
  one: AllowanceCharge,
  amount: Decimal,
  category: TaxCategory,
  { treatmentOf, warnings }: Needs,
): PricedLine {
  const reason = { what: message('text-charge-reason'), path: `${one.path}/cbc:AllowanceChargeReason` };
  return {
    path: one.path,
    quantity: ONE,
    original: amount,
    discount: ZERO,
    unrounded: { original: amount, net: amount },
    category,
    treatment: treatmentOf(category),
    text: {
      sku: null,
      sellersCode: null,
      buyersCode: null,
      description: shortened(one.reason ?? CHARGE_DESCRIPTION, CHOSEN_LENGTH.text, reason, warnings),
      unit: PIECE,
      domesticProduct: null,
      tariffCode: null,
    },
  };
}

/**
 * An allowance without a tax category is unambiguous only if all lines have the same one. It is for all of them, not for those with the
 * tax indicator of the first.
 */
function commonCategory(lines: readonly PricedLine[]): TaxCategory | null {
  const [first] = lines;
  if (first === undefined) return null;
  const key = categoryKey(first.category);
  if (!lines.every(({ category }) => categoryKey(category) === key)) return null;
  const isOneIndicator = lines.every(({ treatment }) => treatment.indicator === first.treatment.indicator);
  return isOneIndicator ? first.category : { ...first.category, exemptionReasonCode: null, exemptionReason: null };
}

function refuseWithoutIndicator(indicator: string, category: TaxCategory): never {
  return notExpressible(message('allowance-without-indicator', { indicator }), reasonPath(category));
}

function refuseWithoutCategory(path: string): never {
  return notExpressible(message('allowance-category-missing'), path);
}
