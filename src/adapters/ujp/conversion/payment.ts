import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent, PaymentTerms } from '../../../domain/documents/invoice-content.ts';
import { DENAR } from '../../../domain/invoices/denar.ts';
import { settlementPeriods, wholeDays } from '../../../domain/invoices/payment-days.ts';
import { ratesOfOtherPairs } from '../../../domain/invoices/stated-rate.ts';
import { type Message, message } from '../../../domain/messages/message.ts';
import type { CodeListEntry } from '../../../domain/values/code-list.ts';
import { warning } from './conversion-failure.ts';
import type { UjpPayment } from './payload.ts';
import { paymentType } from './payment-type.ts';
import { CHOSEN_LENGTH, shortenedIfAny } from './text-limits.ts';
import { type DatedRate, statedRate } from './totals/currency.ts';
import { exactNumber } from './totals/money.ts';

/** As many as a sentence can name. */
const MAX_DATES = 5;
const PERIOD = 'cac:SettlementPeriod/cbc:DurationMeasure';

export type PaymentNeeds = {
  readonly paymentTypes: readonly CodeListEntry[];
  readonly defaultPaymentType: string;
  readonly currency: string;
  readonly rate: DatedRate;
};

export function payment(content: InvoiceContent, needs: PaymentNeeds, warnings: ConversionWarning[]): UjpPayment {
  const { currency, rate } = needs;
  const { paymentTerms: terms } = content;
  const type = paymentType(content, needs, warnings);
  const { paymentMeans, path } = content;
  const text = (value: string, what: Message, element: string) =>
    shortenedIfAny(value || null, CHOSEN_LENGTH.text, { what, path: `${path}/${element}` }, warnings);
  // The note of an instruction and the reference that the payer is to state: both are for whoever pays.
  const notes = paymentMeans.flatMap(({ instructionNotes }) => instructionNotes);
  const references = [...new Set(paymentMeans.flatMap(({ paymentIds }) => paymentIds))];
  const interest = percentages(terms.map(({ penaltyPercent }) => penaltyPercent));
  const discount = percentages(terms.map(({ discountPercent }) => discountPercent));
  warnOfRate(content, currency, warnings);
  for (const { path: place, found } of ratesOfOtherPairs(content, currency)) {
    const leftOut = message('no-member', { what: message('exchange-rate', { found }) });
    warnings.push(warning('ELEMENT-LEFT-OUT', leftOut, place));
  }
  return {
    docPaymentTypeCode: type.code,
    docPaymentTypeDesc: type.name,
    docPaymentTypeDueDays: dueDays(terms, warnings),
    docPaymentTypeDueDate: dueDate(content, warnings),
    docPaymentTerms: text(
      terms.flatMap((one) => one.notes).join('\n'),
      message('text-payment-terms'),
      'cac:PaymentTerms',
    ),
    docPaymentNote: text(
      [...notes, references.join(', ')].filter(Boolean).join('\n'),
      message('text-payment-note'),
      'cac:PaymentMeans',
    ),
    docPaymentInterest: text(interest, message('text-interest'), 'cac:PaymentTerms'),
    docPaymentDiscount: text(discount, message('text-discount'), 'cac:PaymentTerms'),
    docCurrency: currency,
    docCurrencyCode: currency,
    docCurrencyDate: rate.date,
    docCurrencyExchRate: exactNumber(rate.rate, `${content.path}/cac:PaymentExchangeRate/cbc:CalculationRate`),
  };
}

function dueDate(content: InvoiceContent, warnings: ConversionWarning[]): string | null {
  const { dueDate: own, paymentMeans, paymentTerms, path } = content;
  const stated = [...paymentMeans, { dueDate: own }, ...paymentTerms].flatMap(({ dueDate: date }) => date ?? []);
  const [first, ...others] = new Set(stated);
  if (others.length > 0) {
    const values = { sent: first ?? '', others: others.slice(0, MAX_DATES).join(', ') };
    warnings.push(warning('DUE-DATE-LEFT-OUT', message('due-dates-left-out', values), path));
  }
  return first ?? null;
}

/** A rate that the document does not state is the National Bank's, which the authority serves. */
function warnOfRate(content: InvoiceContent, currency: string, warnings: ConversionWarning[]): void {
  if (currency === DENAR) return;
  const stated = statedRate(content, currency);
  if (stated === null) {
    const path = `${content.path}/cac:PaymentExchangeRate`;
    const assumed = message('exchange-rate-assumed', { currency, denar: DENAR });
    warnings.push(warning('EXCHANGE-RATE-ASSUMED', assumed, path));
  } else if (stated.date === null) {
    const assumed = message('exchange-rate-date-assumed');
    warnings.push(warning('EXCHANGE-RATE-DATE-ASSUMED', assumed, `${stated.path}/cbc:Date`));
  }
}

function dueDays(terms: readonly PaymentTerms[], warnings: ConversionWarning[]): number | null {
  const { ofDiscounts, toPay } = settlementPeriods(terms);
  const leftOut = (place: PaymentTerms | undefined, reason: Message) => {
    if (place !== undefined) warnings.push(warning('PAYMENT-PERIOD-LEFT-OUT', reason, `${place.path}/${PERIOD}`));
  };
  const [stated, another] = toPay;
  leftOut(ofDiscounts[0], message('discount-period-left-out'));
  leftOut(another, message('payment-periods-left-out'));
  if (stated === undefined) return null;
  const days = wholeDays(stated.settlementPeriod);
  if (days === null) leftOut(stated, message('payment-period-left-out'));
  return days;
}

function percentages(percents: readonly (string | null)[]): string {
  return percents.flatMap((percent) => (percent === null ? [] : `${percent} %`)).join(', ');
}
