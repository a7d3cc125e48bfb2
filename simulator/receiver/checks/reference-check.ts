import type { Finding } from '../../authority-error.ts';
import type { ListsInForce } from '../../catalogue/catalogue.ts';
import type { Documents } from '../../state/documents.ts';
import type { Rules } from '../../unpublished-rules.ts';
import { REPLACED_REFERENCE } from '../replaced-document.ts';
import { checkCorrection } from './correction-check.ts';
import type { InvoiceDocument, Reference } from './document-schema.ts';
import { checkVoid } from './void-check.ts';

/** A reference by EUID to a document registered at the authority. */
const REGISTERED_DOCUMENT = 'SYS';

const ORDINARY = 0;
const VOID = 1;

/**
 * The authority's published reference, §3.4: what `hasReference` and `isReferenceMandatory` say. `hasReference: false` does not
 * forbid references (type 100 is served so, and is published with a reference NAR), unless a rule says so.
 */
export function checkReferences(
  document: InvoiceDocument,
  documents: Documents,
  lists: ListsInForce,
  { undeclaredReferences }: Rules,
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
  const type = lists.find('document-types', header.docType);
  if (undeclaredReferences === 'refused' && type?.hasReference === false && references.some(isOptional)) {
    const message = `A document of type ${header.docType} has no references`;
    findings.push({ code: 'E1021', message, parameter });
  }
  if (type?.isReferenceMandatory === true && references.length === 0) {
    const message = `A document of type ${header.docType} must have a reference`;
    findings.push({ code: 'E1021', message, parameter });
  }
  if (findings.length > 0 || header.docStorno === ORDINARY) return findings;
  return header.docStorno === VOID ? checkVoid(document, documents) : checkCorrection(document, documents);
}

/** A void or a correction must refer to the document it replaces, whatever its type is served with (§3.10). */
function isOptional({ docTypeRef }: Reference): boolean {
  return docTypeRef !== REPLACED_REFERENCE;
}

/** The type under its exact name; a registered document by its EUID and its issue date (§3.4). */
function checkReference(
  reference: Reference,
  path: string,
  { header, seller }: InvoiceDocument,
  documents: Documents,
  lists: ListsInForce,
): readonly Finding[] {
  const { docTypeRef, docNameRef, docDateRef, docNumberRef } = reference;
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
  if (docTypeRef !== REGISTERED_DOCUMENT && docTypeRef !== REPLACED_REFERENCE) return [];
  const named = documents.find(docNumberRef);
  const isParty = named !== undefined && [named.seller, named.buyer].includes(seller.sellerTin ?? '');
  if (isParty && named.docDate !== docDateRef) {
    const message = `Referenced document ${docNumberRef} is of ${named.docDate}, not of ${docDateRef}`;
    return [{ code: 'E50073', message, parameter: `${path}.docDateRef` }];
  }
  // A void and a correction have codes of their own for a document that is not found.
  if (isParty || docTypeRef === REPLACED_REFERENCE) return [];
  return [
    { code: 'E1021', message: `Referenced document ${docNumberRef} not found`, parameter: `${path}.docNumberRef` },
  ];
}
