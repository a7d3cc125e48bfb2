import { isEuid } from '../../../domain/documents/euid.ts';
import { type ReferenceKind, referenceKindOf } from '../conversion/references/reference-kinds.ts';
import type { KnownDocument, KnownPayload, KnownReference } from '../document-schema/document-fields.ts';
import { group, text, type XmlContent } from './xml-element.ts';

/** The elements of an invoice and of a credit note come in another order. */
export type References = {
  readonly order: XmlContent;
  readonly billing: XmlContent;
  readonly despatch: XmlContent;
  readonly originator: XmlContent;
  readonly contract: XmlContent;
  readonly additional: XmlContent;
};

const ELEMENTS: Readonly<Partial<Record<ReferenceKind, readonly [keyof References, string]>>> = {
  order: ['order', 'cac:OrderReference'],
  contract: ['contract', 'cac:ContractDocumentReference'],
  tender: ['originator', 'cac:OriginatorDocumentReference'],
  transport: ['despatch', 'cac:DespatchDocumentReference'],
};

/** UNTDID 1001, for kinds that UBL has no element for, and for a second order. */
const TYPE_CODES: Readonly<Partial<Record<ReferenceKind, string>>> = {
  order: '105',
  offer: '310',
  proforma: '325',
  customs: '830',
};

const BILLED: ReadonlySet<ReferenceKind> = new Set(['correction', 'registered']);

export function references({ docReferences, header }: KnownDocument): References {
  const found: Record<keyof References, XmlContent[number][]> = {
    order: [],
    billing: [],
    despatch: [],
    originator: [],
    contract: [],
    additional: [],
  };
  for (const reference of docReferences ?? []) {
    const kind = referenceKindOf(reference.docTypeRef, reference.docNameRef);
    const element = ELEMENTS[kind];
    const isSecondOrder = kind === 'order' && found.order.length > 0;
    if (isBilled(kind, header.docStorno)) {
      found.billing.push(
        ...group('cac:BillingReference', documentReference('cac:InvoiceDocumentReference', reference)),
      );
    } else if (element === undefined || isSecondOrder) {
      found.additional.push(
        ...documentReference('cac:AdditionalDocumentReference', reference, TYPE_CODES[kind] ?? null),
      );
    } else found[element[0]].push(...documentReference(element[1], reference));
  }
  return found;
}

/** A void and a correction refer to the one document that they replace as to an earlier invoice, and to no other. */
function isBilled(kind: ReferenceKind, storno: number): boolean {
  return storno === 0 ? BILLED.has(kind) : kind === 'correction';
}

function documentReference(name: string, reference: KnownReference, typeCode: string | null = null): XmlContent {
  const { docTypeRef, docNameRef, docDateRef, docNumberRef } = reference;
  const isRegistered = name === 'cac:InvoiceDocumentReference' && isEuid(docNumberRef);
  return group(
    name,
    text('cbc:ID', docNumberRef, { schemeID: docTypeRef, schemeName: docNameRef }),
    text('cbc:UUID', isRegistered ? docNumberRef : null),
    text('cbc:IssueDate', docDateRef),
    text('cbc:DocumentTypeCode', typeCode),
  );
}

/** The type of the document and the reasons of a void or a correction, as our own conversion of UBL reads them. */
export function directives({ document, voidReason, correctionReason }: KnownPayload): XmlContent {
  const { docType, docTypeName } = document.header;
  const directive = (schemeID: string, code: string, name: string, comment: string | null) =>
    group(
      'cac:AdditionalDocumentReference',
      text('cbc:ID', code, { schemeID }),
      text('cbc:DocumentType', name),
      text('cbc:DocumentDescription', comment),
    );
  return [
    ...directive('UJP:docType', docType, docTypeName, null),
    ...(correctionReason === null
      ? []
      : directive(
          'UJP:correctionReason',
          correctionReason.correctionReasonCode,
          correctionReason.correctionReason,
          correctionReason.correctionReasonComment,
        )),
    ...(voidReason === null
      ? []
      : directive('UJP:voidReason', voidReason.voidCode, voidReason.voidReason, voidReason.voidComment)),
  ];
}
