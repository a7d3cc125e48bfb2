import type { Amount, InvoiceContent, MonetaryTotals, TaxTotal } from '../documents/invoice-content.ts';
import { compare, type Decimal, parseDecimal, round, subtract, sum, ZERO } from '../values/decimal.ts';

/** Of totals and VAT rows: by EN 16931, and in the authority's examples. */
export const TOTAL_DECIMALS = 2;

/** The amounts are the same to the cent. EN 16931 states totals with two decimals; UBL allows more, which are rounded. */
export function isSameTotal(left: Decimal, right: Decimal): boolean {
  return compare(round(left, TOTAL_DECIMALS), round(right, TOTAL_DECIMALS)) === 0;
}

/** An amount that names no currency is in that of the document. */
export function within(amount: Amount | null, currency: string | null): Amount | null {
  return currency === null || (amount?.currency ?? currency) === currency ? amount : null;
}

/**
 * The tax totals in the currency of the document that add up to its VAT. One without subtotals of the same amount as those with subtotals
 * repeats them, as the VAT in the currency of VAT (BT-111) where that is the document's own, unless the totals of the document say that
 * its VAT is both together.
 */
export function countedTaxTotals({ taxTotals, totals, currency }: InvoiceContent): readonly TaxTotal[] {
  const stated = taxTotals.filter(({ amount }) => within(amount, currency) !== null);
  const divided = stated.filter(isDivided);
  const whole = vatOf(divided);
  const isRepeated = stated.every((one) => isDivided(one) || isSameTotal(vatOf([one]), whole));
  if (!isRepeated || divided.length === 0) return stated;
  const difference = vatOfTotals(totals);
  return difference !== null && isSameTotal(difference, vatOf(stated)) ? stated : divided;
}

function isDivided({ subtotals }: TaxTotal): boolean {
  return subtotals.length > 0;
}

function vatOf(taxTotals: readonly TaxTotal[]): Decimal {
  return sum(taxTotals.map(({ amount }) => decimalOf(amount) ?? ZERO));
}

/** What the total with VAT is more than that without; null where one of them is not stated. */
function vatOfTotals({ taxInclusive, taxExclusive }: MonetaryTotals): Decimal | null {
  const [gross, net] = [decimalOf(taxInclusive), decimalOf(taxExclusive)];
  return gross === null || net === null ? null : subtract(gross, net);
}

function decimalOf(amount: Amount | null): Decimal | null {
  return parseDecimal(amount?.value ?? '');
}
