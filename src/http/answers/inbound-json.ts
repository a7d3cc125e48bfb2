import type { InboundDocument, InboundSummary } from '../../domain/documents/inbound-document.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { amountJson } from './amount-json.ts';

export function inboundListItem(document: InboundSummary) {
  return {
    docUid: document.docUid,
    receivedAt: formatInstant(document.receivedAt),
    senderName: document.senderName,
    senderEdb: document.senderEdb,
    ackedAt: document.ackedAt === null ? null : formatInstant(document.ackedAt),
  };
}

export function inboundDetail(document: InboundDocument) {
  return {
    ...inboundListItem(document),
    documentNumber: document.documentNumber,
    amount: amountJson(document.amount),
    currency: document.currency,
  };
}
