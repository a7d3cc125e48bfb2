import type { SerialisedContent } from '../../../application/ports/document-reader.ts';
import type { InvoiceContent, UnreadableValue } from '../../../domain/documents/invoice-content.ts';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import { statedCurrency } from '../../../domain/invoices/stated-codes.ts';
import { inEnglish } from '../../../domain/messages/render.ts';
import { type ContentByLine, serialise } from '../../threads/serialised-content.ts';
import { UnconvertedElements } from '../element-uses/unconverted-elements.ts';
import { parseXml } from '../xml/libxml2.ts';
import { decodeXml } from '../xml/xml-encoding.ts';
import { surveyXml } from '../xml/xml-survey.ts';
import { XmlTree } from '../xml/xml-tree.ts';
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
export function invoiceContent(tree: XmlTree, kind: DocumentKind): InvoiceContent {
  const content = contentByLine(tree, kind);
  return { ...content, lines: [...content.lines] };
}

function contentByLine(tree: XmlTree, kind: DocumentKind): ContentByLine {
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

/** The content of a stored document. It was judged when it was submitted, so one that cannot be read now is damaged. */
export function contentOf(bytes: Uint8Array): InvoiceContent {
  return readStored(bytes, invoiceContent);
}

/** The same, serialised line by line: the lines of a large document are never all values at the same time. */
export function serialisedContentOf(bytes: Uint8Array): SerialisedContent {
  return readStored(bytes, (tree, kind) => serialise(contentByLine(tree, kind)));
}

function readStored<Result>(bytes: Uint8Array, read: (tree: XmlTree, kind: DocumentKind) => Result): Result {
  const utf8 = decodeXml(bytes);
  if (!Buffer.isBuffer(utf8)) throw new Error(`The document cannot be decoded: ${inEnglish(utf8.said)}`);
  const survey = surveyXml(utf8);
  if (survey.doctypeAt !== -1 || survey.exceeded !== null || survey.documents.length > 1) {
    throw new Error('The document is not one that is accepted at submission');
  }
  const parsed = parseXml(utf8, survey.complete);
  if (!('root' in parsed)) throw new Error(`The document is not well-formed: ${parsed[0]?.message ?? 'unknown'}`);
  using document = parsed;
  const tree = new XmlTree(document.root);
  const kind = tree.kind(tree.root);
  if (kind === null) throw new Error('The document is not a UBL Invoice or CreditNote');
  return read(tree, kind);
}
