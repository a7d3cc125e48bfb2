import type {
  AllowanceCharge,
  InvoiceLine,
  LinePrice,
  TaxCategory,
} from '../../../../domain/documents/invoice-content.ts';
import {
  add,
  type Decimal,
  divide,
  isNegative,
  isZero,
  multiply,
  ONE,
  subtract,
  sum,
  ZERO,
} from '../../../../domain/values/decimal.ts';
import { notExpressible, quoted } from '../conversion-failure.ts';
import { decimalAt, type MoneyReader, WORKING_DECIMALS } from '../totals/money.ts';
import type { VatTreatment } from '../vat/vat-treatment.ts';

/**
 * One row of the authority's document before rounding. Totals are kept and units derived from them, so that a discount
 * that does not divide evenly by the quantity is lost nowhere.
 */
export type PricedLine = {
  readonly path: string;
  readonly quantity: Decimal;
  /** Before discounts, without VAT. */
  readonly original: Decimal;
  readonly discount: Decimal;
  readonly category: TaxCategory;
  readonly treatment: VatTreatment;
  readonly text: LineText;
};

export type LineText = {
  readonly sku: string | null;
  readonly sellersCode: string | null;
  readonly buyersCode: string | null;
  readonly description: string;
  readonly unit: string;
  readonly domesticProduct: string | null;
  readonly tariffCode: string | null;
};

export type LinePricing = Pick<PricedLine, 'quantity' | 'original' | 'discount'>;

export function netOf({ original, discount }: LinePricing): Decimal {
  return subtract(original, discount);
}

/** Quantity, total and discount of a line. A negative quantity makes all of it negative, prices stay positive. */
export function priceLine(line: InvoiceLine, quantityPath: string, money: MoneyReader): LinePricing {
  if (line.quantity === null) notExpressible('The quantity of the line is missing', quantityPath);
  const quantity = decimalAt(line.quantity.value, quantityPath);
  const price = line.price ?? notExpressible('The price of the line is missing', `${line.path}/cac:Price`);
  const base = baseQuantity(price, line.quantity.unit);
  const paid = priceAmount(price, money);
  const priceDiscount = allowances(price.allowanceCharges, money);
  const forQuantity = (amount: Decimal) => divide(multiply(quantity, amount), base, WORKING_DECIMALS);
  const ownDiscount = subtract(allowances(line.allowanceCharges, money), charges(line.allowanceCharges, money));
  const pricing = serialised({
    quantity,
    original: forQuantity(add(paid, priceDiscount)),
    discount: add(forQuantity(priceDiscount), ownDiscount),
  });
  refuseImpossible(pricing, line, quantityPath);
  return pricing;
}

/** A discount against the sign of its line is a surcharge, for which the authority has no member: it goes into the price. */
function serialised(pricing: LinePricing): LinePricing {
  const { quantity, discount } = pricing;
  if (isZero(discount) || isNegative(discount) === isNegative(quantity)) return pricing;
  return { quantity, original: netOf(pricing), discount: ZERO };
}

function refuseImpossible(pricing: LinePricing, line: InvoiceLine, quantityPath: string): void {
  const net = netOf(pricing);
  if (isZero(net)) return;
  if (isZero(pricing.quantity)) notExpressible('The line has an amount but the quantity 0', quantityPath);
  if (isNegative(net) !== isNegative(pricing.quantity)) {
    notExpressible('The discounts of the line exceed its price', line.path);
  }
}

function priceAmount(price: LinePrice, money: MoneyReader): Decimal {
  const path = `${price.path}/cbc:PriceAmount`;
  if (price.amount === null) notExpressible('The price of the line is missing', path);
  const amount = money(price.amount, path);
  return isNegative(amount) ? notExpressible('The price is negative, which the authority does not take', path) : amount;
}

/** How many units the price is for. */
function baseQuantity({ path, baseQuantity: base }: LinePrice, unit: string | null): Decimal {
  if (base === null) return ONE;
  const place = `${path}/cbc:BaseQuantity`;
  if (base.unit !== null && unit !== null && base.unit !== unit) {
    const sentence = `The price is for the unit ${quoted(base.unit)}, the quantity in ${quoted(unit)}`;
    notExpressible(sentence, `${place}/@unitCode`);
  }
  const quantity = decimalAt(base.value, place);
  if (isZero(quantity) || isNegative(quantity))
    notExpressible('The price is for a quantity that is not above 0', place);
  return quantity;
}

function allowances(allowanceCharges: readonly AllowanceCharge[], money: MoneyReader): Decimal {
  return total(
    allowanceCharges.filter(({ isCharge }) => !isCharge),
    money,
  );
}

function charges(allowanceCharges: readonly AllowanceCharge[], money: MoneyReader): Decimal {
  return total(
    allowanceCharges.filter(({ isCharge }) => isCharge),
    money,
  );
}

function total(allowanceCharges: readonly AllowanceCharge[], money: MoneyReader): Decimal {
  const amounts = allowanceCharges.map(({ amount, path }) => {
    const place = `${path}/cbc:Amount`;
    return amount === null ? notExpressible('The amount is missing', place) : money(amount, place);
  });
  return sum(amounts);
}
