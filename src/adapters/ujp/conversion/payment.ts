import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent, PaymentTerms } from '../../../domain/documents/invoice-content.ts';
import type { CodeListEntry } from '../../../domain/values/code-list.ts';
import { findEntry } from './code-matching.ts';
import { notExpressible, quoted, warning } from './conversion-failure.ts';
import type { UjpPayment } from './payload.ts';
import type { DatedRate } from './totals/currency.ts';
import { exactNumber } from './totals/money.ts';

/** Payment means codes (UNTDID 4461) and the authority's payment types. */
const PAYMENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['10', 'P10'],
  ...['48', '54', '55'].map((code) => [code, 'P11'] as const),
  ...['30', '31', '42', '49', '57', '58', '59'].map((code) => [code, 'P12'] as const),
  ['68', 'P14'],
  ['97', 'P17'],
]);
const OTHER_PAYMENT_TYPE = 'P19';

const DAY_UNIT = 'DAY';
const MAX_DUE_DAYS = 99_999;

export type PaymentNeeds = {
  readonly paymentTypes: readonly CodeListEntry[];
  readonly defaultPaymentType: string;
  readonly currency: string;
  readonly rate: DatedRate;
};

export function payment(content: InvoiceContent, needs: PaymentNeeds, warnings: ConversionWarning[]): UjpPayment {
  const { currency, rate } = needs;
  const { paymentTerms: terms } = content;
  const type = paymentType(content, needs);
  const [means] = content.paymentMeans;
  return {
    docPaymentTypeCode: type.code,
    docPaymentTypeDesc: type.name,
    docPaymentTypeDueDays: dueDays(terms, warnings),
    docPaymentTypeDueDate: dueDate(content),
    docPaymentTerms: terms.flatMap(({ notes }) => notes).join('\n') || null,
    docPaymentNote: means?.instructionNotes.join('\n') || means?.paymentIds.join(', ') || null,
    docPaymentInterest: percentages(terms.map(({ penaltyPercent }) => penaltyPercent)),
    docPaymentDiscount: percentages(terms.map(({ discountPercent }) => discountPercent)),
    docCurrency: currency,
    docCurrencyCode: currency,
    docCurrencyDate: rate.date,
    docCurrencyExchRate: exactNumber(rate.rate, `${content.path}/cac:PaymentExchangeRate/cbc:CalculationRate`),
  };
}

function paymentType({ path, paymentMeans }: InvoiceContent, needs: PaymentNeeds): CodeListEntry {
  const [means] = paymentMeans;
  const stated = means?.code ?? null;
  const code = stated === null ? needs.defaultPaymentType : (PAYMENT_TYPES.get(stated) ?? OTHER_PAYMENT_TYPE);
  const elementPath = `${means?.path ?? `${path}/cac:PaymentMeans`}/cbc:PaymentMeansCode`;
  const missing = `The payment type ${quoted(code)} is not in the authority's list`;
  return findEntry(needs.paymentTypes, code) ?? notExpressible(missing, elementPath);
}

function dueDate({ dueDate: own, paymentMeans, paymentTerms }: InvoiceContent): string | null {
  return (
    [...paymentMeans, { dueDate: own }, ...paymentTerms].find(({ dueDate: date }) => date !== null)?.dueDate ?? null
  );
}

function dueDays(terms: readonly PaymentTerms[], warnings: ConversionWarning[]): number | null {
  const stated = terms.find(({ settlementPeriod }) => settlementPeriod !== null);
  if (stated?.settlementPeriod === null || stated?.settlementPeriod === undefined) return null;
  const { value, unit } = stated.settlementPeriod;
  const days = Number(value);
  if ((unit === DAY_UNIT || unit === null) && Number.isInteger(days) && days >= 0 && days <= MAX_DUE_DAYS) return days;
  const elementPath = `${stated.path}/cac:SettlementPeriod/cbc:DurationMeasure`;
  warnings.push(
    warning(
      'PAYMENT-PERIOD-LEFT-OUT',
      'The payment period is not a whole number of days (unit DAY) and was left out',
      elementPath,
    ),
  );
  return null;
}

function percentages(percents: readonly (string | null)[]): string | null {
  return percents.flatMap((percent) => (percent === null ? [] : `${percent} %`)).join(', ') || null;
}
