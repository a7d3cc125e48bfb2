import {
  absolute,
  add,
  compare,
  type Decimal,
  divide,
  isNegative,
  multiply,
  round,
  subtract,
  toNumber,
  ZERO,
} from '../../../../domain/values/decimal.ts';
import { CENT, HALF_CENT, ITEM_DECIMALS, percentOf, WORKING_DECIMALS } from '../totals/money.ts';
import { netOf, type TaxedLine, type UnroundedTotals } from './priced-line.ts';

/**
 * How far Σ quantity × unit discount may be from the sum of the discounts. With the half cent to which that sum is rounded it
 * stays within the cent of the authority's formula.
 */
const MOST_DISCOUNT_ERROR: Decimal = { units: 4n, scale: 3 };

/** Amounts for one unit. */
export type UnitAmounts = {
  readonly original: Decimal;
  readonly discount: Decimal;
  readonly net: Decimal;
  readonly vat: Decimal;
};

/**
 * The unit amounts of items, one item after the other; null where numbers of 15 digits cannot express them. They have four
 * decimals, as in the authority's examples, and more where quantity × unit amount would else differ from the total by more than
 * half a cent.
 */
export function createUnitAmounts(): (line: TaxedLine) => UnitAmounts | null {
  const discountOf = createUnitDiscounts();
  return (line) => {
    const { quantity, original, unrounded } = line;
    const totals = { original, net: netOf(line) };
    const discount = discountOf(quantity, line.discount);
    if (discount === null) return null;
    const stated = unrounded && unitAmounts(line, unrounded, discount);
    // What is given away wholly, for a discount that was rounded, must not have a price below zero.
    const isKept = stated && isNegative(stated.net) === isNegative(divide(totals.net, quantity, WORKING_DECIMALS));
    return isKept === true ? stated : unitAmounts(line, totals, discount);
  };
}

/** Whether a price of a unit before discounts is the stated one, rounded to its decimals. */
export function isStatedPrice({ quantity, unrounded }: TaxedLine, price: Decimal): boolean {
  if (unrounded === null) return false;
  return compare(price, round(divide(unrounded.original, quantity, WORKING_DECIMALS), price.scale)) === 0;
}

/** All from the stated price or all from the totals: with a small quantity the two are far apart. */
function unitAmounts(line: TaxedLine, from: UnroundedTotals, discount: Decimal): UnitAmounts | null {
  const original = unitAmount(line.quantity, line.original, from.original, HALF_CENT);
  const net = unitAmount(line.quantity, netOf(line), from.net, HALF_CENT);
  const vat = unitVat(line, percentOf(from.net, line.treatment.rate));
  if (original === null || net === null || vat === null) return null;
  const isReduced = isWithin(subtract(net, subtract(original, discount)), HALF_CENT);
  return isReduced ? { original, discount, net, vat } : null;
}

/**
 * The VAT of one unit is the rate of its price. Where the issuer rounded the VAT of each line it is the line's VAT divided by the
 * quantity, unless that is no longer near the rate, as with a thousandth of a piece.
 */
export function unitVat(
  {
    quantity,
    treatment,
    vat,
  }: Pick<TaxedLine, 'quantity' | 'vat'> & {
    readonly treatment: Pick<TaxedLine['treatment'], 'impact'>;
  },
  atRate: Decimal,
): Decimal | null {
  if (treatment.impact !== 'STANDARD') return ZERO;
  const isNearRate = isWithin(subtract(vat, atRate), multiply(absolute(quantity), HALF_CENT));
  return (
    unitAmount(quantity, vat, atRate, HALF_CENT) ??
    (isNearRate ? unitAmount(quantity, vat, vat, HALF_CENT) : unitAmount(quantity, vat, atRate, CENT))
  );
}

/** `exact` divided by the quantity and rounded so that times the quantity it gives the total within the tolerance. */
export function unitAmount(quantity: Decimal, total: Decimal, exact: Decimal, tolerance: Decimal): Decimal | null {
  const unit = divide(exact, quantity, WORKING_DECIMALS);
  for (let decimals = ITEM_DECIMALS; decimals <= WORKING_DECIMALS; decimals += 1) {
    const rounded = round(unit, decimals);
    const isNear = isWithin(subtract(multiply(quantity, rounded), total), tolerance);
    if (isNear && toNumber(rounded) !== null) return rounded;
  }
  return null;
}

/**
 * The document's discount is Σ quantity × unit discount: over thousands of lines what rounding adds would grow. So a unit discount
 * is rounded the other way, or to more decimals, where that sum would else be off.
 */
function createUnitDiscounts(): (quantity: Decimal, discount: Decimal) => Decimal | null {
  let sumError = ZERO;
  return (quantity, discount) => {
    const unit = divide(discount, quantity, WORKING_DECIMALS);
    for (let decimals = ITEM_DECIMALS; decimals <= WORKING_DECIMALS; decimals += 1) {
      for (const rounded of bothWays(unit, decimals)) {
        const error = subtract(multiply(quantity, rounded), discount);
        const next = add(sumError, error);
        const isNear = isWithin(error, HALF_CENT) && isWithin(next, MOST_DISCOUNT_ERROR);
        if (!isNear || toNumber(rounded) === null) continue;
        sumError = next;
        return rounded;
      }
    }
    return null;
  };
}

/** Rounded to the nearest, then to the next on the other side of the value. */
function bothWays(value: Decimal, decimals: number): readonly Decimal[] {
  const nearest = round(value, decimals);
  const isBelow = compare(nearest, value) < 0;
  const other = add(nearest, { units: isBelow ? 1n : -1n, scale: decimals });
  return isNegative(other) ? [nearest] : [nearest, other];
}

function isWithin(value: Decimal, most: Decimal): boolean {
  return compare(absolute(value), most) <= 0;
}
