import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { Amount, InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { DENAR } from '../../../../domain/invoices/denar.ts';
import { isSameTotal, TOTAL_DECIMALS } from '../../../../domain/invoices/stated-totals.ts';
import { type Message, message } from '../../../../domain/messages/message.ts';
import { add, compare, type Decimal, isZero, round, subtract, sum, ZERO } from '../../../../domain/values/decimal.ts';
import { warning } from '../conversion-failure.ts';
import type { FailureCollector } from '../failure-collector.ts';
import type { TaxedLine } from '../lines/priced-line.ts';
import { reversedWithin } from './line-vat.ts';
import type { MoneyReader } from './money.ts';
import { type DocumentTotals, isOverpaid } from './totals.ts';
import { shownAmount, shownSum, totalsMismatch } from './totals-mismatch.ts';
import { statedTotal } from './vat-subtotals.ts';

type Computed = {
  /** The sum of the UBL lines, before allowances and charges of the whole document. */
  readonly lineNet: Decimal;
  /** The items, with the allowances and charges of the whole document. */
  readonly lines: readonly TaxedLine[];
  readonly totals: DocumentTotals;
  readonly currency: string;
  readonly money: MoneyReader;
};

/** The two figures of a message. */
type Figures = { readonly stated: string; readonly computed: string };

/** What is said of a stated figure that is not the computed one. */
type Differs = (figures: Figures, stated: Decimal, computed: Decimal) => Message;

/** Compares the totals that the document states with those that are registered: they must be the same to the cent. */
export function checkTotals(
  content: InvoiceContent,
  computed: Computed,
  warnings: ConversionWarning[],
  { attempt }: FailureCollector,
): void {
  const { totals: stated } = content;
  const { lineNet, totals, money } = computed;
  const same = (name: string, amount: Amount | null, expected: Decimal, differs: Differs) => {
    const path = `${stated.path}/cbc:${name}`;
    if (amount === null) return;
    attempt(() => checkSame(money(amount, path), expected, differs, path));
  };
  same('LineExtensionAmount', stated.lineExtension, lineNet, (figures) => message('lines-total-differs', figures));
  attempt(() => checkAllowances(content, computed, warnings));
  const netDiffers = (figures: Figures) => message('net-total-differs', figures);
  same('TaxExclusiveAmount', stated.taxExclusive, totals.netAfterDiscount, netDiffers);
  attempt(() => checkTaxTotals(content, computed));
  const rounding = subtract(totals.grossRounded, totals.gross);
  const grossDiffers: Differs = (figures, stated) =>
    isSameTotal(stated, totals.grossRounded)
      ? message('gross-total-rounded', { ...figures, rounding: shownAmount(rounding) })
      : message('gross-total-differs', figures);
  same('TaxInclusiveAmount', stated.taxInclusive, totals.gross, ofReversed('as-gross-total', computed, grossDiffers));
  attempt(() => checkPayable(content, computed, warnings));
}

/**
 * EN 16931, BR-CO-11 and BR-CO-12. Only a warning: what is registered does not depend on these sums, and the total without VAT,
 * which contains them, is compared with it.
 */
function checkAllowances(
  { allowanceCharges, totals: stated }: InvoiceContent,
  { currency, money }: Computed,
  warnings: ConversionWarning[],
): void {
  const sums = [
    ['allowance-total-differs', 'AllowanceTotalAmount', stated.allowanceTotal, false],
    ['charge-total-differs', 'ChargeTotalAmount', stated.chargeTotal, true],
  ] as const;
  for (const [key, name, amount, isCharge] of sums) {
    if (amount === null || (amount.currency ?? currency) !== currency) continue;
    const path = `${stated.path}/cbc:${name}`;
    const own = allowanceCharges.filter((one) => one.isCharge === isCharge);
    const computed = sum(own.flatMap(({ amount: part, path: place }) => (part === null ? [] : money(part, place))));
    const total = money(amount, path);
    if (isSameTotal(total, computed)) continue;
    const figures = { stated: shownAmount(total), computed: shownAmount(round(computed, TOTAL_DECIMALS)) };
    warnings.push(warning('ALLOWANCE-TOTAL-DIFFERS', message(key, figures), path));
  }
}

function checkTaxTotals(content: InvoiceContent, computed: Computed): void {
  const stated = statedTotal(content, computed.money);
  if (stated === null) return;
  const differs = ofReversed('as-vat', computed, (figures) => message('vat-total-differs', figures));
  const inParts: Differs = (figures, ...both) => differs({ ...figures, stated: shownSum(stated.parts) }, ...both);
  checkSame(stated.vat, computed.totals.vat, inParts, stated.path);
}

/** The VAT of a reverse charge may be stated in a total alone: that it is not charged has to be said there, too. */
function ofReversed(
  total: 'as-vat' | 'as-gross-total' | 'as-payable',
  { lines }: Computed,
  otherwise: Differs,
): Differs {
  return (figures, stated, computed) => {
    const indicators = reversedWithin(stated, computed, lines);
    if (indicators === null) return otherwise(figures, stated, computed);
    return message('total-of-reverse-charge-differs', { total: message(total), ...figures, indicators });
  };
}

/**
 * EN 16931, BR-CO-16: payable = total - prepaid + rounding. The authority rounds the total to whole denars itself: a document
 * that states its rounding must state that one, and of one that states none the amount to pay is registered rounded.
 */
function checkPayable({ totals: stated }: InvoiceContent, computed: Computed, warnings: ConversionWarning[]): void {
  const { totals, currency, money } = computed;
  const rounding = stated.rounding === null ? ZERO : money(stated.rounding, `${stated.path}/cbc:PayableRoundingAmount`);
  const registered = subtract(totals.grossRounded, totals.gross);
  if (!isZero(rounding)) {
    const differs = (figures: Figures) =>
      currency === DENAR
        ? message('rounding-differs', figures)
        : message('rounding-differs-in-currency', { ...figures, currency });
    checkSame(rounding, registered, differs, `${stated.path}/cbc:PayableRoundingAmount`);
  }
  // What was paid beyond the total is refused for itself: no amount to pay would mend it.
  if (stated.payable === null || isOverpaid(totals)) return;
  const path = `${stated.path}/cbc:PayableAmount`;
  const payable = money(stated.payable, path);
  const expected = add(subtract(totals.gross, totals.prepaid), rounding);
  const differs = ofReversed('as-payable', computed, (figures) =>
    isZero(rounding) && isSameTotal(payable, totals.final)
      ? message('payable-rounding-missing', { ...figures, rounding: shownAmount(registered) })
      : message('payable-differs', figures),
  );
  checkSame(payable, expected, differs, path);
  if (compare(expected, totals.final) === 0) return;
  const amounts = {
    stated: shownAmount(payable),
    registered: shownAmount(totals.final),
    total: shownAmount(totals.gross),
  };
  // First: of many warnings the last ones are not shown.
  warnings.unshift(warning('PAYABLE-ROUNDED', message('payable-rounded', amounts), path));
}

function checkSame(stated: Decimal, computed: Decimal, differs: Differs, path: string): void {
  if (isSameTotal(stated, computed)) return;
  const figures = { stated: shownAmount(stated), computed: shownAmount(round(computed, TOTAL_DECIMALS)) };
  totalsMismatch(differs(figures, stated, computed), path);
}
