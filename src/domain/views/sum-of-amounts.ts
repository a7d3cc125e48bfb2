import type { Amount } from '../documents/invoice-content.ts';
import { formatShortest, parseDecimal, sum } from '../values/decimal.ts';

/** The sum of amounts in the currency of the document; null where there is nothing to add up. */
export function sumOfAmounts<Holder>(
  currency: string | null,
  holders: readonly Holder[],
  amountOf: (holder: Holder) => Amount | null,
): string | null {
  const values = holders.flatMap((one) => parseDecimal(within(amountOf(one), currency)?.value ?? '') ?? []);
  return values.length === 0 ? null : formatShortest(sum(values));
}

/** An amount that names no currency is in that of the document. */
export function within(amount: Amount | null, currency: string | null): Amount | null {
  return currency === null || (amount?.currency ?? currency) === currency ? amount : null;
}
