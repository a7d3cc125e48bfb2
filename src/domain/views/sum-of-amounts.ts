import type { Amount } from '../documents/invoice-content.ts';
import { within } from '../invoices/stated-totals.ts';
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
