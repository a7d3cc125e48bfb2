import type { DocumentReference, ReferenceSource } from '../../../domain/documents/invoice-content.ts';
import type { ContentElement } from './content-of-element.ts';

const REFERENCES: readonly (readonly [ReferenceSource, string])[] = [
  ['order', 'cac:OrderReference'],
  ['contract', 'cac:ContractDocumentReference'],
  ['originator', 'cac:OriginatorDocumentReference'],
  ['despatch', 'cac:DespatchDocumentReference'],
  ['receipt', 'cac:ReceiptDocumentReference'],
  ['statement', 'cac:StatementDocumentReference'],
  ['additional', 'cac:AdditionalDocumentReference'],
];

const BILLED = ['cac:InvoiceDocumentReference', 'cac:CreditNoteDocumentReference', 'cac:DebitNoteDocumentReference'];

/** Every document that this one refers to, earlier invoices first. */
export function referencesContent(document: ContentElement): readonly DocumentReference[] {
  const billed = document
    .children('cac:BillingReference')
    .flatMap((billing) =>
      BILLED.flatMap((name) => billing.children(name)).map((element) => reference('billing', element)),
    );
  const others = REFERENCES.flatMap(([source, name]) =>
    document.children(name).map((element) => reference(source, element)),
  );
  return [...billed, ...others];
}

function reference(source: ReferenceSource, element: ContentElement): DocumentReference {
  const id = element.firstNonBlank('cbc:ID');
  return {
    path: element.path,
    source,
    id: { value: id?.value ?? null, scheme: id?.attribute('schemeID') ?? null },
    uuid: element.text('cbc:UUID'),
    issueDate: element.date('cbc:IssueDate'),
    typeCode: element.text('cbc:DocumentTypeCode'),
    description: element.text('cbc:DocumentDescription'),
    hasAttachment: element.child('cac:Attachment') !== null,
  };
}
