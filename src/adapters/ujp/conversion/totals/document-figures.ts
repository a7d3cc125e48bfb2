import type { InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import type { ConversionContext, ServedLists } from '../conversion-context.ts';
import { items } from '../lines/items.ts';
import { refuseOtherTaxes } from '../lines/other-taxes.ts';
import { pricedLines } from '../lines/priced-lines.ts';
import { statesVatNumber } from '../parties/party-identity.ts';
import type { UjpDocument } from '../payload.ts';
import { payment } from '../payment.ts';
import type { VatRules } from '../vat/vat-indicator.ts';
import { isVat } from '../vat/vat-scheme.ts';
import { createVatResolver } from '../vat/vat-treatment.ts';
import { checkTotals } from './check-totals.ts';
import { documentCurrency, exchangeRate } from './currency.ts';
import { createMoneyReader } from './money.ts';
import { documentTotals, prepaidAmount, ujpTotals, vatTotals } from './totals.ts';

export type FigureNeeds = {
  readonly context: ConversionContext;
  /** Of the day of the document. */
  readonly lists: ServedLists;
  readonly docDate: string;
  readonly docType: string;
};

/** Everything that is counted: payment, items, totals and VAT rows, checked against the document's own totals. */
export function documentFigures(
  content: InvoiceContent,
  needs: FigureNeeds,
  warnings: string[],
): Pick<UjpDocument, 'docPayment' | 'docItems' | 'docTotals' | 'vatTotals'> {
  const { context, lists, docDate, docType } = needs;
  const currency = documentCurrency(content, lists.currencies);
  const rate = exchangeRate(content, currency, docDate, context.exchangeRate);
  const { paymentTypes } = lists;
  const { defaultPaymentType } = context;
  const docPayment = payment(content, { paymentTypes, defaultPaymentType, currency, rate }, warnings);
  refuseOtherTaxes(content);
  const money = createMoneyReader(currency);
  const rules = vatRules(content, needs);
  const { subtotals } = rules;
  const pricing = { money, treatmentOf: createVatResolver(rules), docType, subtotals };
  const { lineNets, rows } = pricedLines(content, pricing, warnings);
  const totals = documentTotals(rows, prepaidAmount(content, money, currency), currency);
  checkTotals(content, { lineNets, totals, currency, money });
  return {
    docPayment,
    docItems: items(rows, warnings),
    docTotals: ujpTotals(totals, content),
    vatTotals: vatTotals(rows),
  };
}

function vatRules(content: InvoiceContent, { context, docDate, docType }: FigureNeeds): VatRules {
  const { taxIndicators, taxGroups, allowedIndicators } = context.lists;
  const allowed = allowedIndicators.filter(({ docTypeCode }) => docTypeCode === docType);
  const subtotals = content.taxTotals.flatMap((total) => total.subtotals.flatMap(({ category }) => category ?? []));
  return {
    docDate,
    docType,
    indicators: taxIndicators,
    groups: taxGroups,
    allowed: allowed.length === 0 ? null : new Set(allowed.map(({ taxIndicatorCode }) => taxIndicatorCode)),
    sellerIsRegistered: context.seller === null ? statesVatNumber(content.supplier) : context.seller.vatNumber !== null,
    subtotals: subtotals.filter(({ scheme }) => isVat(scheme)),
  };
}
