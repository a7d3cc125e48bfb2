import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { Amount, InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { add, compare, type Decimal, isZero, round, subtract, sum, ZERO } from '../../../../domain/values/decimal.ts';
import { warning } from '../conversion-failure.ts';
import { DENAR, type MoneyReader, TOTAL_DECIMALS } from './money.ts';
import type { DocumentTotals } from './totals.ts';
import { isSameTotal, shownAmount, totalsMismatch } from './totals-mismatch.ts';

type Computed = {
  /** The sum of the UBL lines, before allowances and charges of the whole document. */
  readonly lineNet: Decimal;
  readonly totals: DocumentTotals;
  readonly currency: string;
  readonly money: MoneyReader;
};

/** Compares the totals that the document states with those that are registered: they must be the same to the cent. */
export function checkTotals(content: InvoiceContent, computed: Computed, warnings: ConversionWarning[]): void {
  const { totals: stated } = content;
  const { lineNet, totals, money } = computed;
  const same = (name: string, amount: Amount | null, expected: Decimal, what: string) => {
    const path = `${stated.path}/cbc:${name}`;
    if (amount !== null) checkSame(money(amount, path), expected, what, path);
  };
  same('LineExtensionAmount', stated.lineExtension, lineNet, 'the lines add up to');
  same('TaxExclusiveAmount', stated.taxExclusive, totals.netAfterDiscount, 'the lines without VAT add up to');
  checkTaxTotals(content, computed);
  same('TaxInclusiveAmount', stated.taxInclusive, totals.gross, 'the lines with VAT add up to');
  checkPayable(content, computed, warnings);
}

function checkTaxTotals(content: InvoiceContent, { totals, currency, money }: Computed): void {
  const taxed = content.taxTotals.filter(({ amount }) => amount !== null && (amount.currency ?? currency) === currency);
  const [first] = taxed;
  if (first === undefined) return;
  const stated = sum(taxed.flatMap(({ amount, path }) => (amount === null ? [] : money(amount, path))));
  checkSame(stated, totals.vat, 'the VAT of the lines is', `${first.path}/cbc:TaxAmount`);
}

/**
 * EN 16931, BR-CO-16: payable = total - prepaid + rounding. The authority rounds the total to whole denars itself: a document
 * that states its rounding must state that one, and of one that states none the amount to pay is registered rounded.
 */
function checkPayable({ totals: stated }: InvoiceContent, computed: Computed, warnings: ConversionWarning[]): void {
  const { totals, currency, money } = computed;
  const rounding = stated.rounding === null ? ZERO : money(stated.rounding, `${stated.path}/cbc:PayableRoundingAmount`);
  if (!isZero(rounding)) {
    const what = currency === DENAR ? 'rounding to whole denars gives' : `amounts in ${currency} are rounded by`;
    const expected = subtract(totals.grossRounded, totals.gross);
    checkSame(rounding, expected, what, `${stated.path}/cbc:PayableRoundingAmount`);
  }
  if (stated.payable === null) return;
  const path = `${stated.path}/cbc:PayableAmount`;
  const payable = money(stated.payable, path);
  const expected = add(subtract(totals.gross, totals.prepaid), rounding);
  checkSame(payable, expected, 'by total, prepaid amount and rounding it is', path);
  if (compare(expected, totals.final) === 0) return;
  const sentence = `The document states ${shownAmount(payable)} to pay, and ${shownAmount(totals.final)} is registered, because the authority rounds the total of ${shownAmount(totals.gross)} to whole denars`;
  // First: of many warnings the last ones are not shown.
  warnings.unshift(warning('PAYABLE-ROUNDED', sentence, path));
}

function checkSame(stated: Decimal, computed: Decimal, what: string, path: string): void {
  if (isSameTotal(stated, computed)) return;
  const shown = shownAmount(round(computed, TOTAL_DECIMALS));
  totalsMismatch(`The document states ${shownAmount(stated)}, but ${what} ${shown}`, path);
}
