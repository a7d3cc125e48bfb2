import type { AllowanceCharge, InvoiceLine, LinePrice } from '../../../../domain/documents/invoice-content.ts';
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
import { type LinePricing, netOf } from './priced-line.ts';

/** Quantity, original total and discount of a line. With a negative quantity the totals are negative, unit prices are not. */
export function priceLine(line: InvoiceLine, quantityPath: string, money: MoneyReader): LinePricing {
  if (line.quantity === null) notExpressible('The quantity of the line is missing', quantityPath);
  const quantity = decimalAt(line.quantity.value, quantityPath);
  const price = line.price ?? notExpressible('The price of the line is missing', `${line.path}/cac:Price`);
  const base = baseQuantity(price, line.quantity.unit);
  const discountedPrice = priceAmount(price, money);
  const priceDiscount = allowances(price.allowanceCharges, money);
  const forQuantity = (amount: Decimal) => divide(multiply(quantity, amount), base, WORKING_DECIMALS);
  const lineDiscount = subtract(allowances(line.allowanceCharges, money), charges(line.allowanceCharges, money));
  const pricing = withoutSurcharge({
    quantity,
    original: forQuantity(add(discountedPrice, priceDiscount)),
    discount: add(forQuantity(priceDiscount), lineDiscount),
  });
  refuseContradiction(pricing, line, quantityPath);
  return pricing;
}

/**
 * A discount with the opposite sign of the quantity is a surcharge, for which the authority has no member: it is added to the
 * price.
 */
function withoutSurcharge(pricing: LinePricing): LinePricing {
  const { quantity, discount } = pricing;
  if (isZero(discount) || isNegative(discount) === isNegative(quantity)) return pricing;
  return { quantity, original: netOf(pricing), discount: ZERO };
}

function refuseContradiction(pricing: LinePricing, line: InvoiceLine, quantityPath: string): void {
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
  return isNegative(amount)
    ? notExpressible('The price is negative, which the authority does not accept', path)
    : amount;
}

/** The number of units that the price is for. */
function baseQuantity({ path, baseQuantity: base }: LinePrice, unit: string | null): Decimal {
  if (base === null) return ONE;
  const elementPath = `${path}/cbc:BaseQuantity`;
  if (base.unit !== null && unit !== null && base.unit !== unit) {
    const sentence = `The price is for the unit ${quoted(base.unit)}, the quantity is in ${quoted(unit)}`;
    notExpressible(sentence, `${elementPath}/@unitCode`);
  }
  const quantity = decimalAt(base.value, elementPath);
  if (isZero(quantity) || isNegative(quantity))
    notExpressible('The base quantity of the price is not above 0', elementPath);
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
    const elementPath = `${path}/cbc:Amount`;
    return amount === null ? notExpressible('The amount is missing', elementPath) : money(amount, elementPath);
  });
  return sum(amounts);
}
