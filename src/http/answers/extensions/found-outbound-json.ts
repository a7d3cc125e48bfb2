import type { FoundDocument } from '../../../application/outbound/inquire-outbound.ts';
import type { Language } from '../../../domain/messages/languages.ts';
import { toHex } from '../../../domain/values/hex.ts';
import { formatInstant } from '../../../domain/values/instant.ts';
import { outboundDetail, warningJson } from '../outbound-json.ts';

/** What is said of a document that was asked for: its detail, and what else is known. */
export function foundOutboundJson(found: FoundDocument, language: Language) {
  const { document, history, attempts, nextAttemptAt, sha256, archivedAt, sameBytes } = found;
  return {
    ...outboundDetail(document, language),
    euid: document.ujp?.euid ?? null,
    sha256: sha256 === null ? null : toHex(sha256),
    archivedAt: instantOrNull(archivedAt),
    nextAttemptAt: instantOrNull(nextAttemptAt),
    warnings: document.warnings.map((warning) => warningJson(warning, language)),
    transitions: history.map(({ status, at, failureCode }) => ({ status, at: formatInstant(at), failureCode })),
    attempts: attempts.map(({ act, startedAt, endedAt, outcome, failureCode }) => ({
      act,
      startedAt: formatInstant(startedAt),
      endedAt: instantOrNull(endedAt),
      outcome,
      failureCode,
    })),
    sameBytes: sameBytes.map(({ docUid, status, createdAt }) => ({
      docUid,
      status,
      createdAt: formatInstant(createdAt),
    })),
  };
}

function instantOrNull(at: number | null): string | null {
  return at === null ? null : formatInstant(at);
}
