import { DENAR } from '../../../domain/invoices/denar.ts';
import { compare, type Decimal, formatShortest, ONE } from '../../../domain/values/decimal.ts';
import type { KnownDocument } from '../document-schema/document-fields.ts';
import { linesOfText, type StatedMember } from './stated-members.ts';
import { group, text, type XmlContent } from './xml-element.ts';

/** Counterparts in UNTDID 4461 of the authority's payment types, old codes and new ones; any other is mutually defined. */
const MEANS: ReadonlyMap<string, string> = new Map([
  ['P10', '10'],
  ['P11', '48'],
  ['P12', '30'],
  ['P14', '68'],
  ['P17', '97'],
  ['1000', '10'],
  ['1010', '48'],
  ['1020', '30'],
  ['1040', '68'],
  ['1070', '97'],
]);
const MUTUALLY_DEFINED = 'ZZZ';

const PERCENTAGE = /^\d{1,10}(?:\.\d{1,10})? %$/u;
/** Nobody states more than a few rates of interest. */
const MOST_PERCENTAGES = 20;

export function paymentMeans({ docPayment }: KnownDocument, isCreditNote: boolean): XmlContent {
  const { docPaymentTypeCode: code, docPaymentTypeDesc, docPaymentTypeDueDate, docPaymentNote } = docPayment;
  const name = `UJP:paymentType:${code} ${docPaymentTypeDesc}`;
  return group(
    'cac:PaymentMeans',
    text('cbc:PaymentMeansCode', MEANS.get(code) ?? MUTUALLY_DEFINED, { name }),
    text('cbc:PaymentDueDate', isCreditNote ? docPaymentTypeDueDate : null),
    linesOfText('cbc:InstructionNote', docPaymentNote),
  );
}

export function paymentTerms({ docPayment }: KnownDocument): XmlContent {
  const interest = percentages(docPayment.docPaymentInterest) ?? [];
  const discount = percentages(docPayment.docPaymentDiscount) ?? [];
  const days = docPayment.docPaymentTypeDueDays;
  // Beside a discount the period would be that of the discount.
  const firstDiscount = days === null ? 0 : 1;
  const length = Math.max(1, interest.length, discount.length === 0 ? 0 : firstDiscount + discount.length);
  const terms = Array.from({ length }, (_, index) =>
    group(
      'cac:PaymentTerms',
      index === 0 ? linesOfText('cbc:Note', docPayment.docPaymentTerms) : [],
      text('cbc:SettlementDiscountPercent', discount[index - firstDiscount] ?? null),
      text('cbc:PenaltySurchargePercent', interest[index] ?? null),
      index === 0 && days !== null
        ? group('cac:SettlementPeriod', text('cbc:DurationMeasure', String(days), { unitCode: 'DAY' }))
        : [],
    ),
  );
  return terms.flat();
}

/** What of the payment has no element. */
export function paymentMembers({ docPayment }: KnownDocument): readonly StatedMember[] {
  const { docPaymentInterest, docPaymentDiscount, docCurrency, docCurrencyCode } = docPayment;
  const unlessPercentages = (value: string | null) => (percentages(value) === null ? value : null);
  return [
    ['docPayment/docPaymentInterest', unlessPercentages(docPaymentInterest)],
    ['docPayment/docPaymentDiscount', unlessPercentages(docPaymentDiscount)],
    ['docPayment/docCurrency', docCurrency === docCurrencyCode ? null : docCurrency],
  ];
}

/** Denars have the rate 1 on every day: only another rate says something. */
export function exchangeRate({ docPayment, header }: KnownDocument): XmlContent {
  const { docCurrencyCode, docCurrencyDate, docCurrencyExchRate: rate } = docPayment;
  const isUsual = docCurrencyCode === DENAR && isOne(rate) && docCurrencyDate === header.docDate;
  if (isUsual) return [];
  return group(
    'cac:PaymentExchangeRate',
    text('cbc:SourceCurrencyCode', docCurrencyCode),
    text('cbc:TargetCurrencyCode', DENAR),
    text('cbc:CalculationRate', formatShortest(rate)),
    text('cbc:MathematicOperatorCode', 'Multiply'),
    text('cbc:Date', docCurrencyDate),
  );
}

/** `0.05 %, 1 %` as numbers; null for any other text. */
function percentages(value: string | null): readonly string[] | null {
  const parts = value?.split(', ') ?? [];
  const areAll = parts.length > 0 && parts.length <= MOST_PERCENTAGES && parts.every((part) => PERCENTAGE.test(part));
  return areAll ? parts.map((part) => part.slice(0, -' %'.length)) : null;
}

function isOne(rate: Decimal): boolean {
  return compare(rate, ONE) === 0;
}
