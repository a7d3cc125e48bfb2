import {
  add,
  compare,
  type Decimal,
  divide,
  isZero,
  leastScale,
  multiply,
  round,
  subtract,
  ZERO,
} from '../../../domain/values/decimal.ts';
import { unitAmount, unitVat } from '../conversion/lines/unit-amounts.ts';
import { HALF_CENT, ITEM_DECIMALS, percentOf, WORKING_DECIMALS } from '../conversion/totals/money.ts';
import type { KnownItem } from '../document-schema/document-fields.ts';
import { type Range, rangeOf, shifted, shortestIn, shortNumbersIn } from './number-range.ts';

/** The price of a unit as UBL states it, and how much of the discount is on the price. */
export type UnitPrice = {
  /** After the discount on the price. */
  readonly price: Decimal;
  /** Zero where the discount is one of the line. */
  readonly priceDiscount: Decimal;
};

const HUNDRED: Decimal = { units: 100n, scale: 0 };
/**
 * The shortest price before a discount may be rounded to another one than is stated: 2.23345 to 2.2335, where 2.233446 becomes 2.2334 and,
 * where that is not near enough, 2.23345. What helps is a number on the other side of a half, which is among the next ones.
 */
const MOST_TRIED = 6;
const HALF_UNIT: Decimal = { units: 5n, scale: ITEM_DECIMALS + 1 };

/**
 * The price of a unit. What the authority's document states is rounded, three times: the price before discounts, the price after them,
 * and the VAT. The price that they were rounded from is somewhere between; of all those from which all three follow it is the one with
 * the fewest decimals, most often the one that the seller calculated with. Where none explains them, it is the stated price.
 */
export function unitPrice(item: KnownItem, isVatCharged: boolean): UnitPrice {
  const stated = item.docItemUnitOriginalPriceWoVat;
  if (isZero(item.docItemQty)) return { price: stated, priceDiscount: ZERO };
  // VAT that was rounded for each line does not follow from the price of a unit as directly.
  const ways = [
    ...(isVatCharged && !isZero(item.docItemVat)
      ? [figuresOf(item, [vatRange(item)], true), figuresOf(item, [], true)]
      : []),
    figuresOf(item, [], false),
  ];
  for (const figures of ways) {
    const byLine = priceBeforeDiscount(item, figures);
    if (byLine !== null) return { price: byLine, priceDiscount: ZERO };
    const discounted = discountedPrice(item, figures);
    if (discounted !== null) return discounted;
  }
  const ranges = [roundedFrom(stated), dividedBy(item.docItemQty, item.docItemTotalOriginalPriceWoVat, HALF_CENT)];
  return { price: shortestIn(ranges, stated) ?? stated, priceDiscount: ZERO };
}

/** What the price after discounts must be within, and whether exact amounts of the line give the stated ones of a unit. */
type Figures = {
  readonly net: readonly Range[];
  readonly follow: (original: Decimal, net: Decimal) => boolean;
};

function figuresOf(item: KnownItem, vat: readonly Range[], isVatChecked: boolean): Figures {
  const { docItemQty: quantity, docItemTotalOriginalPriceWoVat: original, docItemTotalPriceWoVat: net } = item;
  const isSame = (unit: Decimal | null, stated: Decimal) => unit !== null && compare(unit, stated) === 0;
  const charged = { quantity, vat: item.docItemTotalVat, treatment: { impact: 'STANDARD' } } as const;
  return {
    net: [roundedFrom(item.docItemUnitPriceWoVat), dividedBy(quantity, net, HALF_CENT), ...vat],
    follow: (exactOriginal, exactNet) =>
      isSame(unitAmount(quantity, original, exactOriginal, HALF_CENT), item.docItemUnitOriginalPriceWoVat) &&
      isSame(unitAmount(quantity, net, exactNet, HALF_CENT), item.docItemUnitPriceWoVat) &&
      (!isVatChecked || isSame(unitVat(charged, percentOf(exactNet, item.docItemVat)), item.docItemUnitVat)),
  };
}

/** The price before a discount of the line. */
function priceBeforeDiscount(item: KnownItem, { net, follow }: Figures): Decimal | null {
  const { docItemQty: quantity, docItemTotalOriginalPriceWoVat: total, docItemUnitOriginalPriceWoVat: stated } = item;
  const discount = discountOf(item);
  const discountOfUnit = divide(discount, quantity, WORKING_DECIMALS);
  const ranges = [
    roundedFrom(stated),
    dividedBy(quantity, total, HALF_CENT),
    ...net.map((range) => shifted(range, discountOfUnit)),
  ];
  for (const price of shortNumbersIn(ranges, stated)) {
    const exact = multiply(quantity, price);
    const reduced = subtract(exact, discount);
    // Rounding half away from zero, a price that is given away wholly would have a discount of one unit more.
    const isExact = compare(subtract(ofItem(exact), ofItem(reduced)), discount) === 0;
    if (isExact && follow(exact, reduced)) return price;
  }
  return null;
}

/**
 * With a small quantity the discount of the line, which has four decimals, is too coarse to tell the price after it: then the discount is
 * one on the price.
 */
function discountedPrice(item: KnownItem, { net, follow }: Figures): UnitPrice | null {
  const { docItemQty: quantity, docItemUnitOriginalPriceWoVat: original, docItemUnitPriceWoVat } = item;
  const ofLine = (price: Decimal) => ofItem(multiply(quantity, price));
  for (const price of shortNumbersIn(net, docItemUnitPriceWoVat)) {
    const before = add(ofLine(price), discountOf(item));
    const ranges = [roundedFrom(original), dividedBy(quantity, before, HALF_UNIT)];
    for (const gross of shortNumbersIn(ranges, original).take(MOST_TRIED)) {
      const isExact = compare(ofLine(gross), before) === 0 && compare(gross, price) >= 0;
      if (isExact && follow(multiply(quantity, gross), multiply(quantity, price))) {
        return { price, priceDiscount: subtract(gross, price) };
      }
    }
  }
  return null;
}

function ofItem(amount: Decimal): Decimal {
  return round(amount, ITEM_DECIMALS);
}

function discountOf({ docItemTotalOriginalPriceWoVat, docItemTotalPriceWoVat }: KnownItem): Decimal {
  return subtract(docItemTotalOriginalPriceWoVat, docItemTotalPriceWoVat);
}

/** What is rounded to a number of four decimals, or of as many as it has. */
function roundedFrom(value: Decimal): Range {
  return rangeOf(value, { units: 5n, scale: Math.max(leastScale(value), ITEM_DECIMALS) + 1 });
}

/** What times the quantity gives the total to within `most`. */
function dividedBy(quantity: Decimal, total: Decimal, most: Decimal): Range {
  const { least, below } = rangeOf(total, most);
  const [one, other] = [least, below].map((end) => divide(end, quantity, WORKING_DECIMALS)) as [Decimal, Decimal];
  return compare(one, other) <= 0 ? { least: one, below: other } : { least: other, below: one };
}

/** The price after discounts by the VAT of a unit, whose rate must not be zero. */
function vatRange({ docItemUnitVat, docItemVat }: KnownItem): Range {
  const { least, below } = roundedFrom(docItemUnitVat);
  const priceOf = (vat: Decimal) => divide(multiply(vat, HUNDRED), docItemVat, WORKING_DECIMALS);
  return { least: priceOf(least), below: priceOf(below) };
}
