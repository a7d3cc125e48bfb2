import type { Finding } from '../../authority-error.ts';
import type { ListsInForce } from '../../catalogue/catalogue.ts';
import type { Documents } from '../../state/documents.ts';
import { REPLACED_REFERENCE } from '../replaced-document.ts';
import { checkCorrection } from './correction-check.ts';
import type { InvoiceDocument, Reference } from './document-schema.ts';
import { checkVoid } from './void-check.ts';

/** A reference by EUID to a document registered at the authority. */
const REGISTERED_DOCUMENT = 'SYS';

const ORDINARY = 0;
const VOID = 1;

export function checkReferences(
  document: InvoiceDocument,
  documents: Documents,
  lists: ListsInForce,
): readonly Finding[] {
  const { header } = document;
  const references = document.docReferences ?? [];
  const findings = references.flatMap((reference, index) =>
    checkReference(reference, `document.docReferences[${index}]`, document, documents, lists),
  );
  const parameter = 'document.docReferences';
  const numbers = references.map(({ docTypeRef, docNumberRef }) => `${docTypeRef} ${docNumberRef}`);
  if (new Set(numbers).size < numbers.length) {
    findings.push({ code: 'E1022', message: 'A document is already referenced', parameter });
  }
  const isMandatory = lists.find('document-types', header.docType)?.isReferenceMandatory ?? false;
  if (isMandatory && references.length === 0) {
    const message = `A document of type ${header.docType} must have a reference`;
    findings.push({ code: 'E1021', message, parameter });
  }
  if (findings.length > 0 || header.docStorno === ORDINARY) return findings;
  return header.docStorno === VOID ? checkVoid(document, documents) : checkCorrection(document, documents);
}

function checkReference(
  reference: Reference,
  path: string,
  { header, seller }: InvoiceDocument,
  documents: Documents,
  lists: ListsInForce,
): readonly Finding[] {
  const { docTypeRef, docNameRef, docNumberRef } = reference;
  const type = lists.find('ref-document-types', docTypeRef);
  if (type === undefined) {
    return [{ code: 'E1021', message: `Reference type ${docTypeRef} not found`, parameter: `${path}.docTypeRef` }];
  }
  if (type.name !== docNameRef) {
    const message = `Reference type ${docTypeRef} is not called '${docNameRef}'`;
    return [{ code: 'E10211', message, parameter: `${path}.docNameRef` }];
  }
  if (docTypeRef === REPLACED_REFERENCE && header.docStorno === ORDINARY) {
    return [{ code: 'E1029', message: 'ST is for voids and corrections only', parameter: `${path}.docTypeRef` }];
  }
  if (docTypeRef === REGISTERED_DOCUMENT) {
    const named = documents.find(docNumberRef);
    const isParty = named !== undefined && [named.seller, named.buyer].includes(seller.sellerTin ?? '');
    const message = `Referenced document ${docNumberRef} not found`;
    return isParty ? [] : [{ code: 'E1021', message, parameter: `${path}.docNumberRef` }];
  }
  return [];
}
