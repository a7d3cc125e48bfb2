import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { AllowanceCharge, InvoiceLine, LinePrice } from '../../../../domain/documents/invoice-content.ts';
import { TOTAL_DECIMALS } from '../../../../domain/invoices/stated-totals.ts';
import { message } from '../../../../domain/messages/message.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  divide,
  formatShortest,
  isNegative,
  isZero,
  multiply,
  ONE,
  parseDecimal,
  round,
  subtract,
  sum,
} from '../../../../domain/values/decimal.ts';
import { excerpt, notExpressible, warning } from '../conversion-failure.ts';
import { decimalAt, HALF_CENT, ITEM_DECIMALS, type MoneyReader, WORKING_DECIMALS } from '../totals/money.ts';
import { shownAmount, totalsMismatch } from '../totals/totals-mismatch.ts';
import type { LinePricing, UnroundedTotals } from './priced-line.ts';

/**
 * As far as Peppol lets a line be off (R120). The amount with VAT, the one before discounts, each discount and the line itself may have been
 * rounded one by one.
 */
const MOST_LINE_ERROR: Decimal = { units: 2n, scale: 2 };

/** What a line is on: credit and debit notes hold positive quantities only. */
type Holder = { readonly quantityPath: string; readonly isNote: boolean };

/**
 * Quantity and totals of a line: its net is the amount that the document states. With a negative quantity the totals are
 * negative, unit prices are not.
 */
export function priceLine(
  line: InvoiceLine,
  { quantityPath, isNote }: Holder,
  money: MoneyReader,
  warnings: ConversionWarning[],
): LinePricing {
  if (line.quantity === null) notExpressible(message('quantity-missing'), quantityPath);
  const quantity = decimalAt(line.quantity.value, quantityPath);
  const price = line.price ?? notExpressible(message('price-missing'), `${line.path}/cac:Price`);
  const base = baseQuantity(price, line.quantity.unit);
  const discountedPrice = priceAmount(price, money, isNote && !isNegative(quantity));
  const priceDiscount = allowances(price.allowanceCharges, money);
  warnOfListPrice(price, discountedPrice, priceDiscount, warnings);
  const forQuantity = (amount: Decimal) => divide(multiply(quantity, amount), base, WORKING_DECIMALS);
  const lineDiscount = subtract(allowances(line.allowanceCharges, money), charges(line.allowanceCharges, money));
  const discount = add(forQuantity(priceDiscount), lineDiscount);
  const original = forQuantity(add(discountedPrice, priceDiscount));
  const unrounded = withoutSurcharge(quantity, { original, net: subtract(original, discount) });
  const roundedPrice = absolute(forQuantity(halfLastDecimal(discountedPrice)));
  const net = statedNet(line, unrounded.net, roundedPrice, money);
  refuseContradiction(quantity, net, line, quantityPath);
  return withStatedNet(quantity, unrounded, net);
}

/**
 * What is charged follows from the price alone: a price before its discount that does not fit is left out. Each of the three may have
 * been rounded; of prices of some deni a cent would be a large part.
 */
function warnOfListPrice(
  { listPrice }: LinePrice,
  price: Decimal,
  discount: Decimal,
  warnings: ConversionWarning[],
): void {
  const stated = parseDecimal(listPrice?.value ?? '');
  if (listPrice === null || stated === null) return;
  const computed = add(price, discount);
  const roundings = sum([stated, price, discount].map(halfLastDecimal));
  if (compare(absolute(subtract(stated, computed)), roundings) <= 0) return;
  const figures = { stated: shownAmount(stated), computed: shownAmount(computed) };
  warnings.push(warning('ELEMENT-LEFT-OUT', message('list-price-differs', figures), listPrice.path));
}

/**
 * A discount with the opposite sign of the quantity is a surcharge, for which the authority has no member: it is added to the
 * price.
 */
function withoutSurcharge(quantity: Decimal, { original, net }: UnroundedTotals): UnroundedTotals {
  const discount = subtract(original, net);
  const isSurcharge = !isZero(discount) && isNegative(discount) !== isNegative(quantity);
  return { original: isSurcharge ? net : original, net };
}

/**
 * The net amount that the line states, if quantity, price, allowances and charges give it: to two cents at most, and to what the price
 * explains if it was rounded to its last stated decimal. `roundedPrice` is that for the whole quantity.
 */
function statedNet(line: InvoiceLine, computed: Decimal, roundedPrice: Decimal, money: MoneyReader): Decimal {
  if (line.lineExtension === null) return round(computed, ITEM_DECIMALS);
  const path = `${line.path}/cbc:LineExtensionAmount`;
  const stated = money(line.lineExtension, path);
  if (compare(absolute(subtract(stated, computed)), add(mostLineError(stated, computed), roundedPrice)) > 0) {
    const figures = { stated: shownAmount(stated), computed: shownAmount(round(computed, TOTAL_DECIMALS)) };
    totalsMismatch(message('line-amount-differs', figures), path);
  }
  return stated.scale > ITEM_DECIMALS ? round(stated, ITEM_DECIMALS) : stated;
}

/** Not more than the line is worth: of one that is worth a cent, two cents would be another price. Rounding once is always allowed. */
function mostLineError(stated: Decimal, computed: Decimal): Decimal {
  const worth = absolute(compare(absolute(stated), absolute(computed)) < 0 ? stated : computed);
  if (compare(worth, HALF_CENT) < 0) return HALF_CENT;
  return compare(worth, MOST_LINE_ERROR) < 0 ? worth : MOST_LINE_ERROR;
}

/** Nobody rounds a price to fewer than two decimals: one that is stated so has them as zeros. */
function halfLastDecimal({ scale }: Decimal): Decimal {
  return { units: 5n, scale: Math.max(scale, TOTAL_DECIMALS) + 1 };
}

function withStatedNet(quantity: Decimal, unrounded: UnroundedTotals, net: Decimal): LinePricing {
  const discount = subtract(round(unrounded.original, ITEM_DECIMALS), round(unrounded.net, ITEM_DECIMALS));
  const original = add(net, discount);
  const isExplained = compare(absolute(subtract(unrounded.net, net)), HALF_CENT) <= 0;
  return { quantity, original, discount, unrounded: isExplained ? unrounded : null };
}

function refuseContradiction(quantity: Decimal, net: Decimal, line: InvoiceLine, quantityPath: string): void {
  if (isZero(net)) return;
  const amount = shownAmount(net);
  if (isZero(quantity)) notExpressible(message('quantity-zero-with-amount', { amount }), quantityPath);
  if (isNegative(net) === isNegative(quantity)) return;
  notExpressible(message('discounts-exceed-price', { amount, quantity: formatShortest(quantity) }), line.path);
}

function priceAmount(price: LinePrice, money: MoneyReader, isQuantityFixed: boolean): Decimal {
  const path = `${price.path}/cbc:PriceAmount`;
  if (price.amount === null) notExpressible(message('price-missing'), path);
  const amount = money(price.amount, path);
  if (!isNegative(amount)) return amount;
  const key = isQuantityFixed ? 'price-negative-on-note' : 'price-negative';
  return notExpressible(message(key, { price: shownAmount(amount) }), path);
}

/** The number of units that the price is for. */
function baseQuantity({ path, baseQuantity: base }: LinePrice, unit: string | null): Decimal {
  if (base === null) return ONE;
  const elementPath = `${path}/cbc:BaseQuantity`;
  if (base.unit !== null && unit !== null && base.unit !== unit) {
    const units = { priceUnit: excerpt(base.unit), quantityUnit: excerpt(unit) };
    notExpressible(message('price-base-unit', units), `${elementPath}/@unitCode`);
  }
  const quantity = decimalAt(base.value, elementPath);
  if (isZero(quantity) || isNegative(quantity))
    notExpressible(message('price-base-not-positive', { quantity: formatShortest(quantity) }), elementPath);
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
    return amount === null ? notExpressible(message('amount-missing'), elementPath) : money(amount, elementPath);
  });
  return sum(amounts);
}
