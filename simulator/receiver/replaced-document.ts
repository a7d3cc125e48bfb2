import type { Documents } from '../state/documents.ts';
import type { RegisteredDocument } from '../state/registered-document.ts';
import type { InvoiceDocument } from './checks/document-schema.ts';

/** The type of the reference from a void or a correction to the document that it replaces. */
export const REPLACED_REFERENCE = 'ST';

/** The document that a void or a correction replaces: exactly one, of the same seller. */
export function replacedDocument(
  { docReferences, seller }: InvoiceDocument,
  documents: Documents,
): RegisteredDocument | 'no reference' | 'not found' {
  const [reference, ...more] = (docReferences ?? []).filter(({ docTypeRef }) => docTypeRef === REPLACED_REFERENCE);
  if (reference === undefined || more.length > 0) return 'no reference';
  const replaced = documents.find(reference.docNumberRef);
  return replaced === undefined || replaced.seller !== seller.sellerTin ? 'not found' : replaced;
}
