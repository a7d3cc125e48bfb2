import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { DENAR } from '../../../../domain/invoices/denar.ts';
import { isSameTotal, TOTAL_DECIMALS } from '../../../../domain/invoices/stated-totals.ts';
import { message } from '../../../../domain/messages/message.ts';
import {
  add,
  compare,
  type Decimal,
  isNegative,
  isZero,
  round,
  subtract,
  sum,
} from '../../../../domain/values/decimal.ts';
import { notExpressible, warning } from '../conversion-failure.ts';
import { netOf } from '../lines/priced-line.ts';
import type { UjpTotals } from '../payload.ts';
import { CHOSEN_LENGTH, joinedWhole } from '../text-limits.ts';
import type { ChargedVat } from './line-vat.ts';
import { exactNumber, type MoneyReader } from './money.ts';
import { shownAmount } from './totals-mismatch.ts';

export type DocumentTotals = {
  readonly net: Decimal;
  readonly discount: Decimal;
  readonly netAfterDiscount: Decimal;
  readonly vat: Decimal;
  readonly gross: Decimal;
  readonly grossRounded: Decimal;
  readonly prepaid: Decimal;
  readonly final: Decimal;
};

/**
 * The authority's formulas. Denars are rounded to whole ones. Other currencies are not: the authority documents no rule, and
 * rounding would change the debt.
 */
export function documentTotals({ lines, groups }: ChargedVat, prepaid: Decimal, currency: string): DocumentTotals {
  const netAfterDiscount = total(lines.map(netOf));
  const discount = total(lines.map((line) => line.discount));
  const vat = total(groups.map((group) => group.vat));
  const gross = add(netAfterDiscount, vat);
  const grossRounded = currency === DENAR ? round(gross, 0) : gross;
  return {
    net: add(netAfterDiscount, discount),
    discount,
    netAfterDiscount,
    vat,
    gross,
    grossRounded,
    prepaid,
    final: subtract(grossRounded, prepaid),
  };
}

/** The prepaid amount that the totals state, else the sum of the prepayments. The amount to pay follows from the former. */
export function prepaidAmount(content: InvoiceContent, money: MoneyReader, warnings: ConversionWarning[]): Decimal {
  const { totals, prepaidPayments } = content;
  const path = `${totals.path}/cbc:PrepaidAmount`;
  const stated = totals.prepaid === null ? null : money(totals.prepaid, path);
  const payments = prepaidPayments.flatMap(({ amount, path: payment }) =>
    amount === null ? [] : money(amount, `${payment}/cbc:PaidAmount`),
  );
  const isComplete = payments.length > 0 && payments.length === prepaidPayments.length;
  if (stated !== null && isComplete && !isSameTotal(stated, sum(payments))) {
    const figures = { stated: shownAmount(stated), computed: shownAmount(round(sum(payments), TOTAL_DECIMALS)) };
    warnings.push(warning('PREPAID-TOTAL-DIFFERS', message('prepaid-total-differs', figures), path));
  }
  const prepaid = round(stated ?? sum(payments), TOTAL_DECIMALS);
  if (isNegative(prepaid)) notExpressible(message('prepaid-negative', { amount: shownAmount(prepaid) }), path);
  return prepaid;
}

/** Either is wholly paid: in whole denars, or with the deni of the total, which leave the amount to pay some deni below zero. */
export function isOverpaid({ prepaid, gross, grossRounded }: DocumentTotals): boolean {
  return compare(prepaid, gross) > 0 && compare(prepaid, grossRounded) > 0;
}

export function ujpTotals(totals: DocumentTotals, content: InvoiceContent, warnings: ConversionWarning[]): UjpTotals {
  const { path } = content.totals;
  if (isNegative(totals.gross)) {
    notExpressible(message('total-negative', { total: shownAmount(totals.gross) }), content.path);
  }
  if (isOverpaid(totals)) {
    const values = { prepaid: shownAmount(totals.prepaid), total: shownAmount(totals.gross) };
    notExpressible(message('prepaid-exceeds-total', values), `${path}/cbc:PrepaidAmount`);
  }
  const shown = (value: Decimal) => exactNumber(value, path);
  return {
    docNetAmount: shown(totals.net),
    docDiscountAmount: shown(totals.discount),
    docNetAmountDisc: shown(totals.netAfterDiscount),
    docVatAmount: shown(totals.vat),
    docGrossAmount: shown(totals.gross),
    docGrossAmountR: shown(totals.grossRounded),
    ...prepayment(content, totals.prepaid, warnings),
    docAvansAmount: shown(totals.prepaid),
    docFinalAmount: shown(totals.final),
  };
}

function prepayment(
  { prepaidPayments }: InvoiceContent,
  prepaid: Decimal,
  warnings: ConversionWarning[],
): Pick<UjpTotals, 'docAvansDate' | 'docAvansDesc'> {
  if (isZero(prepaid)) {
    const named = prepaidPayments.find(({ id, receivedDate }) => id !== null || receivedDate !== null);
    if (named !== undefined) warnings.push(warning('ELEMENT-LEFT-OUT', message('prepayments-left-out'), named.path));
    return { docAvansDate: null, docAvansDesc: null };
  }
  warnOfSum(prepaidPayments, prepaid, warnings);
  const docAvansDate = lastDate(prepaidPayments, warnings);
  const descriptions = prepaidPayments.flatMap(({ id }) => id ?? []);
  const first = prepaidPayments.find(({ id }) => id !== null);
  const place = { what: message('text-prepayments'), path: `${first?.path ?? ''}/cbc:ID` };
  const docAvansDesc = joinedWhole(descriptions, CHOSEN_LENGTH.text, place, warnings);
  return { docAvansDate, docAvansDesc };
}

/** The authority has one amount for all of them. */
function warnOfSum(payments: InvoiceContent['prepaidPayments'], prepaid: Decimal, warnings: ConversionWarning[]): void {
  const [first, another] = payments.filter(({ amount }) => amount !== null);
  if (first === undefined || another === undefined) return;
  const leftOut = message('prepaid-amounts-left-out', { sent: shownAmount(prepaid) });
  warnings.push(warning('ELEMENT-LEFT-OUT', leftOut, `${first.path}/cbc:PaidAmount`));
}

/** The authority has one date for all of them. */
function lastDate(payments: InvoiceContent['prepaidPayments'], warnings: ConversionWarning[]): string | null {
  const dates = payments.flatMap(({ receivedDate }) => receivedDate ?? []);
  const last = dates.toSorted().at(-1) ?? null;
  const other = payments.find(({ receivedDate }) => receivedDate !== null && receivedDate !== last);
  if (last !== null && other !== undefined) {
    const leftOut = message('prepaid-dates-left-out', { sent: last });
    warnings.push(warning('ELEMENT-LEFT-OUT', leftOut, `${other.path}/cbc:ReceivedDate`));
  }
  return last;
}

function total(values: readonly Decimal[]): Decimal {
  return round(sum(values), TOTAL_DECIMALS);
}
