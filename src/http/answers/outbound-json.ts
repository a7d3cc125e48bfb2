import type { OutboundDocument, OutboundSummary } from '../../domain/documents/outbound-document.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { amountJson } from './amount-json.ts';

export function outboundListItem(document: OutboundSummary) {
  return {
    docUid: document.docUid,
    status: document.status,
    createdAt: formatInstant(document.createdAt),
    partnerEdb: document.partnerEdb,
    documentNumber: document.documentNumber,
    amount: amountJson(document.amount),
    currency: document.currency,
  };
}

export function outboundDetail(document: OutboundDocument) {
  return {
    ...outboundListItem(document),
    failureCode: document.failureCode,
    failureMessage: document.failureMessage,
    // Null as long as the authority has not answered, whatever the conversion had to say.
    ujp: document.ujp && { ...document.ujp, warnings: document.warnings },
  };
}
