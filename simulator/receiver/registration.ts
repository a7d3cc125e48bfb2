import type { Caller } from '../request-checks/caller.ts';
import type { Documents } from '../state/documents.ts';
import type { Registration, StatusChange } from '../state/registered-document.ts';
import type { Registry } from '../state/registry.ts';
import type { SignedPayload } from './checks/document-schema.ts';
import { HOME_COUNTRY, NATURAL_PERSON_TYPE } from './checks/mandatory-fields.ts';
import { replacedDocument } from './replaced-document.ts';

const VOID = 1;

export type Sender = { readonly caller: Caller; readonly jws: string };

export function registrationOf(
  { document }: SignedPayload,
  { caller, jws }: Sender,
  registry: Registry,
  euid: string,
  now: Date,
): Registration {
  const { header, buyer, docTotals } = document;
  const isCompany = buyer.buyerCCode === HOME_COUNTRY && header.docType !== NATURAL_PERSON_TYPE;
  const buyerTin = buyer.buyerTin ?? buyer.buyerForeignTin ?? '';
  const registeredBuyer = isCompany && registry.company(buyerTin) !== undefined ? buyerTin : null;
  return {
    euid,
    seller: caller.edb,
    buyer: registeredBuyer,
    buyerTin,
    docType: header.docType,
    docStorno: header.docStorno,
    docNumber: header.docNumber,
    docId: header.docId,
    docDate: header.docDate,
    docDeliveryDate: header.docDeliveryDate ?? null,
    docNetAmount: docTotals.docNetAmount,
    docVatAmount: docTotals.docVatAmount,
    docGrossAmountR: docTotals.docGrossAmountR,
    docAvansAmount: docTotals.docAvansAmount ?? 0,
    docFinalAmount: docTotals.docFinalAmount,
    // Only a registered company accepts or rejects, and voids need no decision.
    firstStatus: registeredBuyer === null || header.docStorno === VOID ? '10' : '01',
    userId: caller.eujpId,
    registeredAt: now.getTime(),
    jws,
  };
}

/** The status change of the document that a void or a correction replaces. */
export function statusChangeOf(
  { document, voidReason, correctionReason }: SignedPayload,
  { userId, registeredAt: at }: Registration,
  documents: Documents,
): StatusChange | null {
  if (document.header.docStorno === 0) return null;
  const replaced = replacedDocument(document, documents);
  if (typeof replaced === 'string') return null;
  const { euid, status: from } = replaced;
  if (document.header.docStorno !== VOID) {
    return { euid, from, to: '09', at, userId, comment: correctionReason?.correctionReasonComment ?? null };
  }
  return {
    euid,
    from,
    to: '07',
    at,
    userId,
    comment: null,
    voidComment: voidReason?.voidComment ?? null,
    voidReasonCode: voidReason?.voidCode ?? null,
    voidReason: voidReason?.voidReason ?? null,
  };
}
