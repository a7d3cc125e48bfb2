import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import type { InvoiceContent, TaxCategory } from '../../../domain/documents/invoice-content.ts';
import { isVat } from '../../../domain/invoices/stated-codes.ts';
import { sum } from '../../../domain/values/decimal.ts';
import type { ConversionContext, ServedLists } from './conversion-context.ts';
import type { FailureCollector } from './failure-collector.ts';
import { documentLines } from './lines/document-lines.ts';
import { items } from './lines/items.ts';
import { statesVatNumber } from './parties/party-identity.ts';
import type { UjpDocument } from './payload.ts';
import { payment } from './payment.ts';
import { checkTotals } from './totals/check-totals.ts';
import { documentCurrency, exchangeRate } from './totals/currency.ts';
import { checkDenarFigures } from './totals/denar-figures.ts';
import { checkIndicatorSubtotals } from './totals/indicator-subtotals.ts';
import { atRate, chargedVat } from './totals/line-vat.ts';
import { createMoneyReader } from './totals/money.ts';
import { documentTotals, prepaidAmount, ujpTotals } from './totals/totals.ts';
import { checkVatInDenars } from './totals/vat-in-denars.ts';
import { vatRows } from './totals/vat-rows.ts';
import { dividedCategories, statedSubtotals, statedTotal, statedVat } from './totals/vat-subtotals.ts';
import { warnOfUnfitReasons } from './vat/exemption-reasons.ts';
import { refuseOtherTaxes } from './vat/vat-category.ts';
import type { VatRules } from './vat/vat-indicator.ts';
import { createAllowanceIndicators, createIndicatorFinder, createVatResolver } from './vat/vat-treatment.ts';
import { createVatWarnings } from './vat/vat-warnings.ts';

export type AmountNeeds = {
  readonly context: ConversionContext;
  /** The entries in force on the date of the document. */
  readonly lists: ServedLists;
  readonly docDate: string;
  readonly docType: string;
};

/** Payment, items, totals and VAT rows, checked against the totals that the document states. */
export function documentAmounts(
  content: InvoiceContent,
  needs: AmountNeeds,
  warnings: ConversionWarning[],
  collector: FailureCollector,
): Pick<UjpDocument, 'docPayment' | 'docItems' | 'docTotals' | 'vatTotals'> {
  const { context, lists, docDate, docType } = needs;
  const currency = documentCurrency(content, lists.currencies);
  const { attempt, complete } = collector;
  const rate = attempt(() => exchangeRate(content, currency, docDate, context.exchangeRate));
  const { paymentTypes } = lists;
  const { defaultPaymentType } = context;
  const docPayment =
    rate && attempt(() => payment(content, { paymentTypes, defaultPaymentType, currency, rate }, warnings));
  refuseOtherTaxes(content);
  const money = createMoneyReader(currency);
  const rules = vatRules(content, needs, currency);
  const { subtotals } = rules;
  const indicatorOf = createIndicatorFinder(rules);
  const treatmentOf = createVatResolver(rules, warnings);
  const statedFor = (categories: readonly TaxCategory[]) => statedSubtotals(content, categories, money, currency);
  const dividedOf = (categories: readonly TaxCategory[]) => dividedCategories(statedFor(categories), indicatorOf);
  const pricing = { money, treatmentOf, indicatorOf: createAllowanceIndicators(rules), dividedOf, docType, subtotals };
  const { net: lineNet, lines } = documentLines(content, pricing, warnings, collector);
  const ofAllowances = content.allowanceCharges.flatMap(({ taxCategories }) => taxCategories);
  const reasoned = [...subtotals, ...ofAllowances.filter(({ scheme }) => isVat(scheme))];
  warnOfUnfitReasons(lines, reasoned, rules, createVatWarnings(warnings));
  const stated = statedFor(lines.map(({ category }) => category));
  const divided = dividedCategories(stated, indicatorOf);
  const taxed = lines.map(atRate);
  const total = statedTotal(content, money)?.vat ?? null;
  const vat = chargedVat(taxed, statedVat(stated), divided, total);
  attempt(() => checkIndicatorSubtotals(divided, taxed));
  const totals = documentTotals(vat, prepaidAmount(content, money, warnings), currency);
  checkTotals(content, { lineNet, lines: taxed, totals, currency, money }, warnings, collector);
  if (rate !== null) {
    const unroundedVat = sum(taxed.map((line) => line.vat));
    attempt(() =>
      checkVatInDenars(content, { vat: totals.vat, unroundedVat, currency, rate: rate.rate, roundings: vat.roundings }),
    );
    attempt(() => checkDenarFigures(content, { lines, totals, currency }));
  }
  return complete({
    docPayment,
    docItems: items(vat.lines, warnings),
    docTotals: ujpTotals(totals, content, warnings),
    vatTotals: vatRows(vat),
  });
}

function vatRules(content: InvoiceContent, { context, docDate, docType }: AmountNeeds, currency: string): VatRules {
  const { taxIndicators, taxGroups, allowedIndicators } = context.lists;
  const allowed = allowedIndicators.filter(({ docTypeCode }) => docTypeCode === docType);
  // Those in denars of a document in another currency repeat the others.
  const stated = content.taxTotals.flatMap(({ subtotals }) => subtotals);
  const own = stated.filter(({ tax }) => (tax?.currency ?? currency) === currency);
  const subtotals = own.flatMap(({ category }) => category ?? []);
  return {
    docDate,
    docType,
    indicators: taxIndicators,
    groups: taxGroups,
    allowed: allowed.length === 0 ? null : new Set(allowed.map(({ taxIndicatorCode }) => taxIndicatorCode)),
    sellerIsRegistered: context.seller === null ? statesVatNumber(content.supplier) : context.seller.vatNumber !== null,
    subtotals: subtotals.filter(({ scheme }) => isVat(scheme)),
    reverseChargeRate: context.reverseChargeRate,
  };
}
