import type { AllowanceCharge, TaxCategory } from '../../../../domain/documents/invoice-content.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  format,
  isNegative,
  isZero,
  ONE,
  round,
  sum,
  ZERO,
} from '../../../../domain/values/decimal.ts';
import { notExpressible } from '../conversion-failure.ts';
import { ITEM_DECIMALS, type MoneyReader, TOTAL_DECIMALS, WORKING_DECIMALS } from '../totals/money.ts';
import { isSameCategory, vatCategory } from '../vat/vat-category.ts';
import type { VatTreatment } from '../vat/vat-treatment.ts';
import { PIECE } from './line-text.ts';
import { netOf, type PricedLine } from './priced-line.ts';
import { proRata } from './pro-rata.ts';

/** The description of a charge that states no reason: "additional charge". */
const CHARGE_DESCRIPTION = 'Дополнителен трошок';

type Needs = {
  readonly money: MoneyReader;
  readonly treatmentOf: (category: TaxCategory) => VatTreatment;
};

/**
 * The authority's document has discounts on items only: an allowance of the whole document is distributed over the lines of
 * its tax category in proportion, a charge becomes an item of its own. A negative allowance is a charge, and the reverse.
 */
export function applyAllowanceCharges(
  lines: readonly PricedLine[],
  allowanceCharges: readonly AllowanceCharge[],
  needs: Needs,
): readonly PricedLine[] {
  let discounted = lines;
  const charges: PricedLine[] = [];
  for (const one of allowanceCharges) {
    const path = `${one.path}/cbc:Amount`;
    const stated = one.amount === null ? notExpressible('The amount is missing', path) : needs.money(one.amount, path);
    if (isZero(stated)) continue;
    const category = vatCategory(one.taxCategories, one.path) ?? commonCategory(lines, one);
    if (one.isCharge !== isNegative(stated)) charges.push(chargeLine(one, absolute(stated), category, needs));
    else discounted = distributeAllowance(discounted, one, absolute(stated), category);
  }
  return [...discounted, ...charges];
}

function distributeAllowance(
  lines: readonly PricedLine[],
  { path }: AllowanceCharge,
  amount: Decimal,
  category: TaxCategory,
): readonly PricedLine[] {
  const code = category.exemptionReasonCode;
  const sameCategory = lines.filter((line) => isSameCategory(line.category, category) && !isNegative(line.quantity));
  const sameIndicator = sameCategory.filter(({ treatment }) => treatment.indicator === code);
  const reduced = sameIndicator.length > 0 ? sameIndicator : sameCategory;
  const parts = allowanceParts(reduced, amount, path);
  const partOf = new Map(reduced.map((line, index) => [line, parts[index] ?? ZERO]));
  return lines.map((line) => {
    const part = partOf.get(line);
    return part === undefined ? line : { ...line, discount: add(line.discount, part) };
  });
}

function allowanceParts(lines: readonly PricedLine[], stated: Decimal, path: string): readonly Decimal[] {
  const nets = lines.map(netOf);
  const amount = reducibleAmount(nets, stated, path);
  const parts = proRata(amount, nets, ITEM_DECIMALS);
  // Rounded to the decimals of items, a part may exceed a line of which little is left: then more decimals are kept.
  const fitsLines = nets.every((net, index) => compare(parts[index] ?? ZERO, net) <= 0);
  return fitsLines ? parts : proRata(amount, nets, WORKING_DECIMALS);
}

/** At most the total of the lines. An allowance of the full amount may exceed it by what UBL rounded up on each line. */
function reducibleAmount(nets: readonly Decimal[], stated: Decimal, path: string): Decimal {
  const total = sum(nets);
  if (isZero(total)) {
    notExpressible('There is no line of the tax category of this allowance to reduce', path);
  }
  if (compare(stated, total) <= 0) return stated;
  const maxRoundedUp: Decimal = { units: BigInt(nets.length), scale: 2 };
  if (compare(stated, add(total, maxRoundedUp)) <= 0) return total;
  const reducible = format(round(total, TOTAL_DECIMALS));
  const sentence = `The allowance of ${format(stated)} exceeds the lines of its tax category, which add up to ${reducible}`;
  return notExpressible(sentence, path);
}

function chargeLine(one: AllowanceCharge, amount: Decimal, category: TaxCategory, { treatmentOf }: Needs): PricedLine {
  return {
    path: one.path,
    quantity: ONE,
    original: amount,
    discount: ZERO,
    category,
    treatment: treatmentOf(category),
    text: {
      sku: null,
      sellersCode: null,
      buyersCode: null,
      description: one.reason ?? CHARGE_DESCRIPTION,
      unit: PIECE,
      domesticProduct: null,
      tariffCode: null,
    },
  };
}

/** An allowance without a tax category is unambiguous only if all lines have the same one. */
function commonCategory(lines: readonly PricedLine[], { path }: AllowanceCharge): TaxCategory {
  const [first] = lines;
  if (first !== undefined && lines.every((line) => isSameCategory(line.category, first.category)))
    return first.category;
  return notExpressible('The tax category is missing, and the lines have different ones', `${path}/cac:TaxCategory`);
}
