import type { InvoiceContent, UnreadableValue } from '../../../domain/documents/invoice-content.ts';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import { statedCurrency } from '../../../domain/invoices/stated-codes.ts';
import type { ContentByLine } from '../../threads/serialised-content.ts';
import { UnconvertedElements } from '../element-uses/unconverted-elements.ts';
import type { ReadableTree } from '../xml/readable-tree.ts';
import { deliveryContent, deliveryTermsContent, furtherDeliveryTexts, statedPeriods } from './content-of-delivery.ts';
import { ContentElement } from './content-of-element.ts';
import { linesContent } from './content-of-lines.ts';
import { partyContent } from './content-of-party.ts';
import {
  exchangeRatesContent,
  paymentMeansContent,
  paymentTermsContent,
  prepaidPaymentsContent,
} from './content-of-payment.ts';
import { referencesContent } from './content-of-references.ts';
import { allowanceChargesContent, monetaryTotalsContent, taxTotalsContent } from './content-of-taxes.ts';

/** Everything that delivery needs of a UBL Invoice or CreditNote, read without judging it. */
export function invoiceContent(tree: ReadableTree, kind: DocumentKind): InvoiceContent {
  const content = contentByLine(tree, kind);
  return { ...content, lines: [...content.lines] };
}

/** The same, where each line is read when it is asked for. */
export function contentByLine(tree: ReadableTree, kind: DocumentKind): ContentByLine {
  const unreadable: UnreadableValue[] = [];
  const document = new ContentElement(tree, tree.root, `/${kind}`, unreadable);
  const typeCode = document.firstNonBlank(`cbc:${kind}TypeCode`);
  const profile = document.firstNonBlank('cbc:ProfileID');
  const totals = monetaryTotalsContent(document);
  const [period = null, ...furtherPeriods] = statedPeriods(document);
  const unconverted = new UnconvertedElements();
  for (const further of furtherPeriods) unconverted.add('period', further.path);
  unconverted.addFrom(document);
  for (const further of furtherDeliveryTexts(document)) unconverted.add('delivery-detail', further.path);
  return {
    kind,
    path: document.path,
    number: document.text('cbc:ID'),
    issueDate: document.date('cbc:IssueDate'),
    dueDate: document.date('cbc:DueDate'),
    taxPointDate: document.date('cbc:TaxPointDate'),
    typeCode: { value: typeCode?.value ?? null, name: typeCode?.attribute('name') ?? null },
    profile: { value: profile?.value ?? null, scheme: profile?.attribute('schemeID') ?? null },
    notes: document.texts('cbc:Note'),
    currency: statedCurrency(document.text('cbc:DocumentCurrencyCode')) ?? totals.payable?.currency ?? null,
    period,
    references: referencesContent(document),
    supplier: partyContent(document, 'cac:AccountingSupplierParty'),
    customer: partyContent(document, 'cac:AccountingCustomerParty'),
    delivery: deliveryContent(document),
    deliveryTerms: deliveryTermsContent(document),
    paymentMeans: paymentMeansContent(document),
    paymentTerms: paymentTermsContent(document),
    prepaidPayments: prepaidPaymentsContent(document),
    allowanceCharges: allowanceChargesContent(document),
    exchangeRates: exchangeRatesContent(document),
    taxTotals: taxTotalsContent(document),
    totals,
    lines: linesContent(document, kind),
    unconverted: unconverted.all(),
    unreadable,
  };
}
