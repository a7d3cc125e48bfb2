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
import { vatCategory } from '../vat/vat-category.ts';
import { isSameCategory } from '../vat/vat-indicator.ts';
import type { VatTreatment } from '../vat/vat-treatment.ts';
import { netOf, type PricedLine } from './priced-line.ts';
import { proRata } from './pro-rata.ts';
import { PIECE } from './unit-labels.ts';

/** How a charge without a reason is called on the document: "additional charge". */
const CHARGE = 'Дополнителен трошок';

type Needs = {
  readonly money: MoneyReader;
  readonly treatmentOf: (category: TaxCategory) => VatTreatment;
};

/**
 * The authority's document has discounts on items alone: allowances of the whole document go to the lines of their tax
 * category in proportion, charges become rows of their own. A negative allowance is a charge, and the reverse.
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
    const category = vatCategory(one.taxCategories, one.path) ?? onlyCategory(lines, one);
    if (one.isCharge !== isNegative(stated)) charges.push(chargeLine(one, absolute(stated), category, needs));
    else discounted = spread(discounted, one, absolute(stated), category);
  }
  return [...discounted, ...charges];
}

function spread(
  lines: readonly PricedLine[],
  { path }: AllowanceCharge,
  amount: Decimal,
  category: TaxCategory,
): readonly PricedLine[] {
  const code = category.exemptionReasonCode;
  const sharing = lines.filter((line) => isSameCategory(line.category, category) && !isNegative(line.quantity));
  const named = sharing.filter(({ treatment }) => treatment.indicator === code);
  const reduced = named.length > 0 ? named : sharing;
  const parts = partsOf(reduced, amount, path);
  const partOf = new Map(reduced.map((line, index) => [line, parts[index] ?? ZERO]));
  return lines.map((line) => {
    const part = partOf.get(line);
    return part === undefined ? line : { ...line, discount: add(line.discount, part) };
  });
}

function partsOf(lines: readonly PricedLine[], stated: Decimal, path: string): readonly Decimal[] {
  const nets = lines.map(netOf);
  const amount = reducibleAmount(nets, stated, path);
  const parts = proRata(amount, nets, ITEM_DECIMALS);
  // Rounded as items are shown, a part may exceed a line that is finer than that, when little or nothing of it is left.
  const isFine = nets.every((net, index) => compare(parts[index] ?? ZERO, net) <= 0);
  return isFine ? parts : proRata(amount, nets, WORKING_DECIMALS);
}

/** Not more than the lines come to; an allowance of everything may exceed them by what UBL rounded up on each. */
function reducibleAmount(nets: readonly Decimal[], stated: Decimal, path: string): Decimal {
  const whole = sum(nets);
  if (isZero(whole)) {
    notExpressible('There is no line of the tax category of this allowance that it could reduce', path);
  }
  if (compare(stated, whole) <= 0) return stated;
  const roundedUp: Decimal = { units: BigInt(nets.length), scale: 2 };
  if (compare(stated, add(whole, roundedUp)) <= 0) return whole;
  const reducible = format(round(whole, TOTAL_DECIMALS));
  const sentence = `The allowance of ${format(stated)} exceeds the lines of its tax category, which are ${reducible} together`;
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
      description: one.reason ?? CHARGE,
      unit: PIECE,
      domesticProduct: null,
      tariffCode: null,
    },
  };
}

/** Where all lines are taxed alike, an allowance that names no category can mean no other. */
function onlyCategory(lines: readonly PricedLine[], { path }: AllowanceCharge): TaxCategory {
  const [first] = lines;
  if (first !== undefined && lines.every((line) => isSameCategory(line.category, first.category)))
    return first.category;
  return notExpressible('The tax category is missing, and the lines have several', `${path}/cac:TaxCategory`);
}
