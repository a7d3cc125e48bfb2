import type { Finding } from '../../authority-error.ts';
import { payloadText } from '../../request-checks/envelope.ts';
import type { Documents } from '../../state/documents.ts';
import type { RegisteredDocument } from '../../state/registered-document.ts';
import { replacedDocument } from '../replaced-document.ts';
import type { InvoiceDocument, Item, SignedPayload } from './document-schema.ts';

/** The authority's published reference, §3.10: members that a void must repeat from the voided document, with the error code of each. */
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

/** Only a document in this status can be cancelled (E1016). */
const NEW = '01';

const AMOUNTS = [
  'docNetAmount',
  'docDiscountAmount',
  'docNetAmountDisc',
  'docVatAmount',
  'docGrossAmount',
  'docGrossAmountR',
  'docAvansAmount',
  'docFinalAmount',
] as const;

const SAME_IN_ITEM = [
  'docItemUnitOriginalPriceWoVat',
  'docItemUnitDiscountAmount',
  'docItemUnitPriceWoVat',
  'docItemUnitVat',
  'docItemVatGroup',
  'docItemTaxIndicator',
] as const;

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
  if (status === NEW) return null;
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

/** A void has the same buyer and items as the voided document, with negative quantities and totals and the same unit prices (§3.10). */
function checkNegated(document: InvoiceDocument, original: InvoiceDocument): readonly Finding[] {
  const { buyer, docItems, docTotals } = document;
  const isNegated =
    (buyer.buyerTin ?? null) === (original.buyer.buyerTin ?? null) &&
    docItems.length === original.docItems.length &&
    docItems.every((item, index) => isNegatedItem(item, original.docItems[index])) &&
    AMOUNTS.every((member) => (docTotals[member] ?? 0) + (original.docTotals[member] ?? 0) === 0);
  if (isNegated) return [];
  const message = 'A void must repeat the voided document with negative quantities and totals';
  return [{ code: 'E1025', message, parameter: 'document' }];
}

function isNegatedItem(item: Item, original: Item | undefined): boolean {
  return (
    item.docItemQty + (original?.docItemQty ?? 0) === 0 && SAME_IN_ITEM.every((name) => item[name] === original?.[name])
  );
}
