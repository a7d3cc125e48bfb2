import type { InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { DENAR } from '../../../../domain/invoices/denar.ts';
import { TOTAL_DECIMALS } from '../../../../domain/invoices/stated-totals.ts';
import { message } from '../../../../domain/messages/message.ts';
import { type Decimal, formatShortest, multiply, round, sum } from '../../../../domain/values/decimal.ts';
import { isConverted } from './converted-amount.ts';
import { statedRate } from './currency.ts';
import { decimalAt } from './money.ts';
import { shownAmount, shownSum, totalsMismatch } from './totals-mismatch.ts';

type Registered = {
  readonly vat: Decimal;
  /** That of the lines at their rates. */
  readonly unroundedVat: Decimal;
  readonly currency: string;
  /** Denars for one unit of the currency. */
  readonly rate: Decimal;
  /** How many rounded amounts the VAT was added up from. */
  readonly roundings: number;
};

/**
 * The VAT in denars that a document in another currency states (BT-111) must be the registered VAT at the registered rate. EN 16931 does
 * not say whether it is converted before the VAT of a category is rounded or after, so that of each category may be off by half
 * a cent at the rate, and by half a deni for being rounded itself, or half a denar where it is stated in whole ones. It may be that of
 * the lines, too: where the VAT of each was rounded, the sum is off by more.
 */
export function checkVatInDenars(content: InvoiceContent, registered: Registered): void {
  const { vat, unroundedVat, currency, rate, roundings } = registered;
  if (currency === DENAR) return;
  const inDenars = content.taxTotals.flatMap(({ amount, path }) =>
    amount !== null && amount.currency === DENAR ? { value: amount.value, path: `${path}/cbc:TaxAmount` } : [],
  );
  const [first] = inDenars;
  if (first === undefined) return;
  const parts = inDenars.map(({ value, path }) => decimalAt(value, path));
  const stated = sum(parts);
  // That of the National Bank has all its decimals.
  const { agreesWith } = statedRate(content, currency) ?? { agreesWith: () => false };
  if ([vat, unroundedVat].some((own) => isConverted(stated, own, { rate, agreesWith }, roundings))) return;
  const computed = shownAmount(round(multiply(vat, rate), TOTAL_DECIMALS));
  const figures = { stated: shownSum(parts), computed };
  const converted = { vat: shownAmount(vat), currency, rate: formatShortest(rate) };
  totalsMismatch(message('vat-in-denars-differs', { ...figures, ...converted }), first.path);
}
