import type {
  ExchangeRate,
  PaymentMeans,
  PaymentTerms,
  PrepaidPayment,
} from '../../../domain/documents/invoice-content.ts';
import { statedCurrency } from '../../../domain/invoices/stated-codes.ts';
import type { ContentElement } from './content-of-element.ts';

/** The rate of payment takes precedence, then the rate for tax. */
const EXCHANGE_RATES = [
  'cac:PaymentExchangeRate',
  'cac:TaxExchangeRate',
  'cac:PricingExchangeRate',
  'cac:PaymentAlternativeExchangeRate',
];

export function paymentMeansContent(document: ContentElement): readonly PaymentMeans[] {
  return document.children('cac:PaymentMeans').map((means) => ({
    path: means.path,
    code: means.text('cbc:PaymentMeansCode'),
    name: means.firstNonBlank('cbc:PaymentMeansCode')?.attribute('name') ?? null,
    dueDate: means.date('cbc:PaymentDueDate'),
    instructionNotes: means.texts('cbc:InstructionNote'),
    paymentIds: means.texts('cbc:PaymentID'),
  }));
}

export function paymentTermsContent(document: ContentElement): readonly PaymentTerms[] {
  return document.children('cac:PaymentTerms').map((terms) => ({
    path: terms.path,
    notes: terms.texts('cbc:Note'),
    dueDate: terms.date('cbc:PaymentDueDate'),
    settlementPeriod: terms.quantity('cac:SettlementPeriod', 'cbc:DurationMeasure'),
    penaltyPercent: terms.number('cbc:PenaltySurchargePercent'),
    discountPercent: terms.number('cbc:SettlementDiscountPercent'),
    discountAmount: terms.amount('cbc:SettlementDiscountAmount'),
  }));
}

export function prepaidPaymentsContent(document: ContentElement): readonly PrepaidPayment[] {
  return document.children('cac:PrepaidPayment').map((payment) => ({
    path: payment.path,
    id: payment.text('cbc:ID'),
    amount: payment.amount('cbc:PaidAmount'),
    receivedDate: payment.date('cbc:ReceivedDate'),
  }));
}

export function exchangeRatesContent(document: ContentElement): readonly ExchangeRate[] {
  const rates = EXCHANGE_RATES.flatMap((name) => document.children(name));
  return rates.map((rate) => ({
    path: rate.path,
    sourceCurrency: statedCurrency(rate.text('cbc:SourceCurrencyCode')),
    sourceBaseRate: rate.number('cbc:SourceCurrencyBaseRate'),
    targetCurrency: statedCurrency(rate.text('cbc:TargetCurrencyCode')),
    targetBaseRate: rate.number('cbc:TargetCurrencyBaseRate'),
    rate: rate.number('cbc:CalculationRate'),
    operator: rate.text('cbc:MathematicOperatorCode'),
    date: rate.date('cbc:Date'),
  }));
}
