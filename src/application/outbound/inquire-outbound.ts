import type { ApiKey } from '../../domain/accounts/api-key.ts';
import type { Edb } from '../../domain/accounts/edb.ts';
import type { OutboundDocument, StatusChange } from '../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import type { CallLimit } from '../accounts/authenticate.ts';
import { documentNotFound } from '../errors/document-not-found.ts';
import type { Clock } from '../ports/platform.ts';
import type { RecordedAttempt } from '../ports/storage/delivery-store.ts';
import type { FoundOutbound, OutboundMark } from '../ports/storage/outbound/outbound-inquiry-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** Documents in one answer, and other documents with the same bytes that are named with each of them. */
const MOST_DOCUMENTS = 20;
/** A document that was tried for days may have many; the last ones say where it stands. */
const MOST_ATTEMPTS = 50;
/** For a person who asks, or a program that asks about each document it is not certain of. */
const INQUIRIES_PER_MINUTE = 60;

type Needs = {
  readonly storage: Pick<Storage, 'outbound' | 'outboundInquiries' | 'deliveries'>;
  readonly clock: Clock;
};

export type FoundDocument = {
  readonly document: OutboundDocument;
  readonly history: readonly StatusChange[];
  /** The last ones, the oldest of them first; none once the document is archived. */
  readonly attempts: readonly RecordedAttempt[];
  /** When the authority is tried next; null while a worker is at it, and when nothing is left to try. */
  readonly nextAttemptAt: number | null;
  readonly sha256: Uint8Array | null;
  readonly archivedAt: number | null;
  /** Other documents that were submitted with the same bytes, the newest first. */
  readonly sameBytes: readonly Pick<FoundOutbound, 'docUid' | 'status' | 'createdAt'>[];
};

export type InquireOutbound = (
  tenant: Edb,
  mark: OutboundMark,
) => Promise<{ readonly found: readonly FoundDocument[]; readonly hasMore: boolean }>;

/** Beside the traffic limit of the key: whoever has used that up must still learn what became of a document. */
export function inquiryLimit({ tenant, keyId }: ApiKey): CallLimit {
  return {
    tenant,
    keyId: `${keyId} inquiries`,
    callsPerMinute: INQUIRIES_PER_MINUTE,
    reached: 'inquiry-limit-reached',
  };
}

/** What happened to a document, by what its sender knows of it, however old it is. */
export function inquireOutbound({ storage, clock }: Needs): InquireOutbound {
  const { outbound, outboundInquiries, deliveries } = storage;

  async function complete(tenant: Edb, found: FoundOutbound): Promise<FoundDocument> {
    const { docUid, sha256, archivedAt } = found;
    const [document, history, attempts, same] = await Promise.all([
      outbound.find(tenant, docUid),
      outbound.history(tenant, docUid),
      deliveries.attempts(tenant, docUid),
      sha256 === null ? [] : outboundInquiries.find(tenant, { by: 'sha256', value: sha256 }, MOST_DOCUMENTS + 1),
    ]);
    if (document === null) throw documentNotFound();
    return {
      document,
      history,
      attempts: attempts.slice(-MOST_ATTEMPTS),
      // It may have come to its end since it was found.
      nextAttemptAt: nextAttemptAt({ ...found, status: document.status }, clock.now()),
      sha256,
      archivedAt,
      sameBytes: same.filter((other) => other.docUid !== docUid).slice(0, MOST_DOCUMENTS),
    };
  }

  return async (tenant, mark) => {
    const found = await outboundInquiries.find(tenant, mark, MOST_DOCUMENTS + 1);
    const documents = await Promise.all(found.slice(0, MOST_DOCUMENTS).map((one) => complete(tenant, one)));
    return { found: documents, hasMore: found.length > MOST_DOCUMENTS };
  };
}

/** What is due for an accepted document is its container. A claim that ran out is free for the next worker. */
function nextAttemptAt({ status, dueAt, isClaimed }: FoundOutbound, now: number): number | null {
  if (dueAt === null || status >= OUTBOUND_STATUS.accepted) return null;
  return isClaimed && dueAt > now ? null : dueAt;
}
