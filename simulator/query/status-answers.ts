import type { Catalogue } from '../catalogue/catalogue.ts';
import type { JsonObject } from '../json-object.ts';
import { skopjeTime } from '../skopje-time.ts';
import type { NumberedChange, RegisteredDocument, StatusCode } from '../state/registered-document.ts';

/** Number, dates, amounts, parties and status of a document. */
export function statusRow(document: RegisteredDocument, catalogue: Catalogue): JsonObject {
  const { code, name } = statusOf(document.status, catalogue);
  return {
    euid: document.euid,
    statusCode: code,
    statusName: name,
    docNumber: document.docNumber,
    docDate: document.docDate,
    docDeliveryDate: document.docDeliveryDate,
    docNetAmount: document.docNetAmount,
    docVatAmount: document.docVatAmount,
    docGrossAmountR: document.docGrossAmountR,
    docAvansAmount: document.docAvansAmount,
    docFinalAmount: document.docFinalAmount,
    sellerTin: document.seller,
    buyerTin: document.buyerTin,
    senderTin: '',
    receiverTin: '',
  };
}

/** A row of one document's history. */
export function historyRow(change: NumberedChange, catalogue: Catalogue): JsonObject {
  const timestamp = skopjeTime(new Date(change.at));
  return {
    id: change.id,
    euid: change.euid,
    oldStatus: statusOf(change.from, catalogue),
    newStatus: statusOf(change.to, catalogue),
    timestamp,
    userId: change.userId,
    comment: change.comment,
    version: change.version,
    lastModified: timestamp,
    cancelComment: null,
    voidComment: change.voidComment ?? null,
  };
}

/** A row of the list of changes on one day. */
export function changeRow(change: NumberedChange, catalogue: Catalogue): JsonObject {
  return {
    euid: change.euid,
    oldStatus: statusOf(change.from, catalogue),
    newStatus: statusOf(change.to, catalogue),
    timestamp: skopjeTime(new Date(change.at)),
    comment: change.comment,
    cancelComment: null,
    voidComment: change.voidComment ?? null,
    voidReasonCode: change.voidReasonCode ?? null,
    voidReason: change.voidReason ?? null,
    rejectReasonCode: change.rejectReasonCode ?? null,
    rejectReason: change.rejectReason ?? null,
  };
}

function statusOf(code: StatusCode, catalogue: Catalogue): { readonly code: string; readonly name: string } {
  return { code, name: catalogue.find('document-statuses', code)?.name ?? '' };
}
