import type { DocumentChange, InboundChange, OutboundChange } from '../../../domain/documents/document-change.ts';
import type { Language } from '../../../domain/messages/languages.ts';
import { formatInstant } from '../../../domain/values/instant.ts';
import { amountJson } from '../amount-json.ts';
import { warningJson } from '../outbound-json.ts';

/** Every entry has all members, whatever its kind. */
export function changeJson(cursor: string, change: DocumentChange, language: Language) {
  const { facts } = change;
  return {
    cursor,
    at: formatInstant(change.at),
    kind: change.kind,
    direction: change.direction,
    docUid: change.docUid,
    ...(change.direction === 'outbound' ? outboundMembers(change, language) : inboundMembers(change)),
    documentNumber: facts.documentNumber,
    amount: amountJson(facts.amount),
    currency: facts.currency,
  };
}

function outboundMembers(change: OutboundChange, language: Language) {
  const { kind, status, failureCode, ujp, authorityStatusAt: at, warnings, facts } = change;
  const code = ujp?.statusCode ?? null;
  return {
    status,
    failureCode,
    ujp,
    authorityStatus:
      kind !== 'authority-status' || code === null
        ? null
        : { code, name: ujp?.statusName ?? null, at: at === null ? null : formatInstant(at) },
    warnings: warnings === null ? null : warnings.map((warning) => warningJson(warning, language)),
    createdAt: formatInstant(facts.createdAt),
    partnerEdb: facts.partnerEdb,
    senderName: null,
  };
}

function inboundMembers({ authorityStatus, facts }: InboundChange) {
  return {
    status: null,
    failureCode: null,
    ujp: null,
    authorityStatus: authorityStatus === null ? null : { ...authorityStatus, at: null },
    warnings: null,
    createdAt: formatInstant(facts.receivedAt),
    partnerEdb: facts.senderEdb,
    senderName: facts.senderName,
  };
}
