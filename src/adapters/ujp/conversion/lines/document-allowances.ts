import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { AllowanceCharge, TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import { isVat } from '../../../../domain/invoices/vat-scheme.ts';
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
import { categoryKey, vatCategory } from '../vat/vat-category.ts';
import type { VatTreatment } from '../vat/vat-treatment.ts';
import { createAllowancePools, isReducible, type ReducibleLines } from './allowance-pools.ts';
import { PIECE } from './line-text.ts';
import { netOf, type PricedLine } from './priced-line.ts';

/** The description of a charge that states no reason: "additional charge". */
export const CHARGE_DESCRIPTION = 'Дополнителен трошок';

type Needs = {
  readonly money: MoneyReader;
  readonly treatmentOf: (category: TaxCategory) => VatTreatment;
  readonly warnings: ConversionWarning[];
};

/** An allowance or a charge with the category that it is for; its amount is above zero. */
type Applied = { readonly of: AllowanceCharge; readonly amount: Decimal; readonly category: TaxCategory };

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
  const allowances: Applied[] = [];
  for (const one of allowanceCharges) {
    const path = `${one.path}/cbc:Amount`;
    const amount =
      one.amount === null ? notExpressible(message('amount-missing'), path) : needs.money(one.amount, path);
    const stated = amount.scale > ITEM_DECIMALS ? round(amount, ITEM_DECIMALS) : amount;
    if (isZero(stated)) continue;
    const place = `${one.path}/cac:TaxCategory`;
    const ofLines = common && { ...common, path: place };
    const category = vatCategory(one.taxCategories, one.path) ?? ofLines ?? refuseWithoutCategory(place);
    if (one.isCharge !== isNegative(stated)) charges.push(chargeLine(one, absolute(stated), category, needs));
    else allowances.push({ of: one, amount: absolute(stated), category });
  }
  const kept = unreducedCharges(lines, charges, allowances);
  const pools = createAllowancePools([...lines, ...charges], statedCategories(allowanceCharges, common), kept);
  for (const { of, amount, category } of allowances) reduce(pools.linesOf(category), amount, of.path);
  return pools.reducedLines();
}

/** A charge is reduced only where its category has allowances that are more than the lines, or no lines at all. */
function unreducedCharges(
  lines: readonly PricedLine[],
  charges: readonly PricedLine[],
  allowances: readonly Applied[],
): ReadonlySet<PricedLine> {
  const worth = Map.groupBy(lines.filter(isReducible), ({ category }) => categoryKey(category));
  const taken = Map.groupBy(allowances, ({ category }) => categoryKey(category));
  const isShort = new Map(
    [...taken].map(([key, own]) => {
      const most = sum((worth.get(key) ?? []).map(netOf));
      return [key, compare(sum(own.map(({ amount }) => amount)), most) > 0];
    }),
  );
  return new Set(charges.filter(({ category }) => isShort.get(categoryKey(category)) !== true));
}

function statedCategories(
  allowanceCharges: readonly AllowanceCharge[],
  common: TaxCategory | null,
): readonly TaxCategory[] {
  return allowanceCharges.flatMap(({ taxCategories }) => {
    const stated = taxCategories.filter(({ scheme }) => isVat(scheme));
    return stated.length === 0 && common !== null ? common : stated;
  });
}

function reduce(lines: ReducibleLines, stated: Decimal, path: string): void {
  const { left } = lines;
  if (isZero(left)) {
    notExpressible(message('allowance-without-lines'), path);
  }
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
  return isOneIndicator ? first.category : { ...first.category, exemptionReasonCode: null };
}

function refuseWithoutCategory(path: string): never {
  return notExpressible(message('allowance-category-missing'), path);
}
