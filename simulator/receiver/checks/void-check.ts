import type { Finding } from '../../authority-error.ts';
import { payloadText } from '../../request-checks/envelope.ts';
import type { Documents } from '../../state/documents.ts';
import type { RegisteredDocument } from '../../state/registered-document.ts';
import { replacedDocument } from '../replaced-document.ts';
import type { InvoiceDocument, SignedPayload } from './document-schema.ts';

/** Members that a void must repeat from the voided document, with the error code of each. */
const REPEATED_IN_HEADER = {
  docType: 'E50079',
  docDate: 'E500710',
  docDeliveryDate: 'E500711',
  docDelivery: 'E500712',
  docTurnoverDate: 'E500713',
  docPeriodStartDate: 'E500714',
  docPeriodEndDate: 'E500715',
  docNotes: 'E500716',
  docHeader: 'E500717',
  docFooter: 'E500718',
} as const;

const PARAMETER = 'document.docReferences';

export function checkVoid(document: InvoiceDocument, documents: Documents): readonly Finding[] {
  const voided = replacedDocument(document, documents);
  if (voided === 'no reference')
    return [{ code: 'E1024', message: 'A void must have one reference ST', parameter: PARAMETER }];
  if (voided === 'not found')
    return [{ code: 'E1021', message: 'The document to void is not found', parameter: PARAMETER }];
  const forbidden = forbiddenByState(voided);
  if (forbidden !== null) return [{ ...forbidden, parameter: PARAMETER }];
  const { document: original } = JSON.parse(payloadText(voided.jws)) as SignedPayload;
  const differences = checkRepeated(document, original);
  return differences.length > 0 ? differences : checkNegated(document, original);
}

function forbiddenByState({ status, docStorno }: RegisteredDocument): Omit<Finding, 'parameter'> | null {
  if (docStorno === 1) return { code: 'E1025', message: 'A void cannot be voided' };
  if (status === '07') return { code: 'E1026', message: 'The referenced document is voided already' };
  if (status === '09') return { code: 'E1028', message: 'The referenced document is corrected already' };
  // Like a new document (01), one in status 10 has no decision of a buyer that a void would contradict.
  if (status === '01' || status === '10') return null;
  return { code: 'E1016', message: 'The referenced document is not NEW and cannot be cancelled' };
}

function checkRepeated(document: InvoiceDocument, original: InvoiceDocument): readonly Finding[] {
  const members = Object.keys(REPEATED_IN_HEADER) as (keyof typeof REPEATED_IN_HEADER)[];
  const findings: Finding[] = members
    .filter((member) => (document.header[member] ?? null) !== (original.header[member] ?? null))
    .map((member) => {
      const parameter = `document.header.${member}`;
      return { code: REPEATED_IN_HEADER[member], message: `${parameter} differs from the voided document`, parameter };
    });
  if (!isSamePayment(document.docPayment, original.docPayment)) {
    const parameter = 'document.docPayment';
    findings.push({ code: 'E50078', message: `${parameter} differs from the voided document`, parameter });
  }
  return findings;
}

function isSamePayment(one: InvoiceDocument['docPayment'], other: InvoiceDocument['docPayment']): boolean {
  const members = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof typeof one>;
  return [...members].every((member) => (one[member] ?? null) === (other[member] ?? null));
}

/** A void has the same parties as the voided document, and every amount with the opposite sign. */
function checkNegated(document: InvoiceDocument, original: InvoiceDocument): readonly Finding[] {
  const isNegated =
    document.buyer.buyerTin === original.buyer.buyerTin &&
    document.docItems.every(({ docItemQty }) => docItemQty <= 0) &&
    document.docTotals.docGrossAmount === -original.docTotals.docGrossAmount;
  if (isNegated) return [];
  const message = 'A void must repeat the voided document with negative quantities and totals';
  return [{ code: 'E1025', message, parameter: 'document' }];
}
