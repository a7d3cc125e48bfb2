import type { Finding } from '../../authority-error.ts';
import type { Documents } from '../../state/documents.ts';
import type { RegisteredDocument } from '../../state/registered-document.ts';
import { replacedDocument } from '../replaced-document.ts';
import type { InvoiceDocument } from './document-schema.ts';

/** The authority's published reference, §3.10: a correction replaces one existing document that is neither voided nor corrected. */
export function checkCorrection(document: InvoiceDocument, documents: Documents): readonly Finding[] {
  const finding = findingFor(document, replacedDocument(document, documents));
  return finding === null ? [] : [{ ...finding, parameter: 'document.docReferences' }];
}

function findingFor(
  { header, buyer }: InvoiceDocument,
  corrected: RegisteredDocument | 'no reference' | 'not found',
): Omit<Finding, 'parameter'> | null {
  if (corrected === 'no reference') return { code: 'E1027', message: 'A correction must have one reference ST' };
  if (corrected === 'not found') return { code: 'E1030', message: 'A correction must reference an existing document' };
  if (corrected.status === '07') return { code: 'E1026', message: 'The referenced document is voided' };
  if (corrected.status === '09') return { code: 'E1028', message: 'The referenced document is corrected already' };
  const isSameKind =
    corrected.docStorno !== 1 &&
    corrected.docType === header.docType &&
    corrected.buyer === comparableBuyer(corrected, buyer);
  return isSameKind ? null : { code: 'E1031', message: 'A correction must keep the type and the buyer' };
}

/** Only a buyer in the register has a tax number to compare. */
function comparableBuyer({ buyer }: RegisteredDocument, { buyerTin }: InvoiceDocument['buyer']): string | null {
  return buyer === null ? null : (buyerTin ?? null);
}
