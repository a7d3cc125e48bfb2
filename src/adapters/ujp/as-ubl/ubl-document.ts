import { ADVANCE_INVOICE, CORRECTED_INVOICE } from '../../../domain/invoices/stated-codes.ts';
import type { KnownDocument, KnownPayload } from '../document-schema/document-fields.ts';
import { exactJsonText } from '../document-schema/exact-json.ts';
import type { UnknownMembers } from '../document-schema/read-payload.ts';
import { linesOfText, memberReferences, type StatedMember } from './stated-members.ts';
import { delivery } from './ubl-delivery.ts';
import { documentLine } from './ubl-lines.ts';
import { buyerParty, sellerParty } from './ubl-parties.ts';
import { exchangeRate, paymentMeans, paymentMembers, paymentTerms } from './ubl-payment.ts';
import { directives, references } from './ubl-references.ts';
import { amountsIn, taxTotal, vatMembers } from './ubl-taxes.ts';
import { monetaryTotal, prepaidPayment, totalMembers } from './ubl-totals.ts';
import { type VatCategories, vatCategories } from './vat-categories.ts';
import { group, text, type XmlContent, type XmlElement } from './xml-element.ts';

const CREDIT_NOTE_TYPE = '110';
/** UNTDID 1001 by the authority's type; any other is an invoice of its own kind, which its directive names. */
const TYPE_CODES: ReadonlyMap<string, string> = new Map([
  [CREDIT_NOTE_TYPE, '381'],
  ['120', '383'],
  ['130', ADVANCE_INVOICE],
]);
const INVOICE = '380';
const CORRECTION = 2;

const CAC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2';
const CBC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';

/** The authority's document as a UBL Invoice or, for type 110, CreditNote. */
export function ublDocument(payload: KnownPayload, unknown: UnknownMembers): XmlElement {
  const { document } = payload;
  const isCreditNote = document.header.docType === CREDIT_NOTE_TYPE;
  const kind = isCreditNote ? 'CreditNote' : 'Invoice';
  const categories = vatCategories(document);
  const stated = unknown.members.map(({ path, value }): StatedMember => [path, value]);
  const members = memberReferences([...membersOf(payload, categories, isCreditNote), ...stated]);
  const additional = [...directives(payload), ...members];
  const content = [
    text('cbc:UBLVersionID', '2.1'),
    ...(isCreditNote ? creditNoteContent(document, additional) : invoiceContent(document, additional)),
    ...amountContent(document, categories, isCreditNote),
  ];
  const attributes = {
    xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${kind}-2`,
    'xmlns:cac': CAC,
    'xmlns:cbc': CBC,
  };
  return { name: kind, attributes, content: content.flat() };
}

function invoiceContent(document: KnownDocument, members: XmlContent): readonly XmlContent[] {
  const { header, docPayment } = document;
  const typeCode = header.docStorno === CORRECTION ? CORRECTED_INVOICE : (TYPE_CODES.get(header.docType) ?? INVOICE);
  const { order, billing, despatch, originator, contract, additional } = references(document);
  return [
    text('cbc:ID', header.docNumber),
    text('cbc:IssueDate', header.docDate),
    text('cbc:DueDate', docPayment.docPaymentTypeDueDate),
    text('cbc:InvoiceTypeCode', typeCode),
    linesOfText('cbc:Note', header.docNotes),
    text('cbc:TaxPointDate', header.docTurnoverDate),
    text('cbc:DocumentCurrencyCode', docPayment.docCurrencyCode),
    period(document),
    ...[order, billing, despatch, originator, contract, additional, members],
  ];
}

function creditNoteContent(document: KnownDocument, members: XmlContent): readonly XmlContent[] {
  const { header, docPayment } = document;
  const { order, billing, despatch, originator, contract, additional } = references(document);
  return [
    text('cbc:ID', header.docNumber),
    text('cbc:IssueDate', header.docDate),
    text('cbc:TaxPointDate', header.docTurnoverDate),
    text('cbc:CreditNoteTypeCode', TYPE_CODES.get(header.docType) ?? ''),
    linesOfText('cbc:Note', header.docNotes),
    text('cbc:DocumentCurrencyCode', docPayment.docCurrencyCode),
    period(document),
    ...[order, billing, despatch, contract, additional, members, originator],
  ];
}

function amountContent(
  document: KnownDocument,
  categories: VatCategories,
  isCreditNote: boolean,
): readonly XmlContent[] {
  const amounts = amountsIn(document.docPayment.docCurrencyCode);
  return [
    sellerParty(document),
    buyerParty(document),
    delivery(document),
    paymentMeans(document, isCreditNote),
    paymentTerms(document),
    isCreditNote ? [] : prepaidPayment(document, amounts),
    exchangeRate(document),
    taxTotal(document, categories, amounts),
    monetaryTotal(document, amounts),
    ...document.docItems.map((item) => {
      return documentLine(item, { isCreditNote, category: categories.ofItem(item), amounts });
    }),
  ];
}

function period({ header }: KnownDocument): XmlContent {
  return group(
    'cac:InvoicePeriod',
    text('cbc:StartDate', header.docPeriodStartDate),
    text('cbc:EndDate', header.docPeriodEndDate),
  );
}

/** What UBL has no element for, or none that says it in full. */
function membersOf(
  { document, requestTimestamp }: KnownPayload,
  categories: VatCategories,
  isCreditNote: boolean,
): readonly StatedMember[] {
  const { header, seller, sender, receiver } = document;
  const isStornoStated = header.docStorno === 0 || (header.docStorno === CORRECTION && !isCreditNote);
  const json = (value: unknown) => (value === null ? null : exactJsonText(value));
  return [
    ['requestTimestamp', requestTimestamp],
    ['header/docStorno', isStornoStated ? null : String(header.docStorno)],
    ['header/docId', header.docId],
    ['header/docHeader', header.docHeader],
    ['header/docFooter', header.docFooter],
    ['header/docIndicator', header.docIndicator],
    ['seller/sellerSubsidiaryCode', seller.sellerSubsidiaryCode],
    ['seller/sellerSubsidiaryName', seller.sellerSubsidiaryName],
    ['seller/sellerSubsidiaryAddress', seller.sellerSubsidiaryAddress],
    ['sender', json(sender)],
    ['receiver', json(receiver)],
    ...paymentMembers(document),
    ...totalMembers(document, isCreditNote),
    ...vatMembers(document, categories),
  ];
}
