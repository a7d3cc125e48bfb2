import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { isSameEuid } from '../../domain/documents/euid.ts';
import { OUTBOUND_STATUS, type OutboundEvent, type OutboundStatus } from '../../domain/documents/outbound-status.ts';
import { acceptedAnswer } from '../delivery/authority-answer.ts';
import { followRegistered } from '../delivery/settlement/follow-registered.ts';
import type { Registration } from '../ports/authority.ts';
import type { Storage } from '../ports/storage/storage.ts';

const { received, processing, sent, rejected, failed } = OUTBOUND_STATUS;

/** How a document that the authority has registered comes to 40; a cancelled one does not. */
const WAY_TO_ACCEPTED: Readonly<Partial<Record<OutboundStatus, readonly OutboundEvent[]>>> = {
  [received]: ['prepare', 'send', 'accept'],
  [processing]: ['send', 'accept'],
  [sent]: ['accept'],
  [rejected]: ['reopen', 'accept'],
  [failed]: ['requeue', 'send', 'accept'],
};

/**
 * The authority has registered a document of which the database does not know it. It is accepted, whatever it was believed to be; one that
 * was cancelled, or accepted with another EUID, has a stray registration from now on. Null when somebody else has settled it meanwhile.
 */
export function settleFound(
  storage: Storage,
  tenant: Edb,
  docUid: DocUid,
  registration: Registration,
  at: number,
): Promise<'accepted' | 'stray' | null> {
  return storage.transaction(async (tx) => {
    const document = await tx.outbound.find(tenant, docUid);
    const { euid, registeredAt, answer } = registration;
    if (document === null || isSameEuid(document.ujp?.euid, euid)) return null;
    const way = WAY_TO_ACCEPTED[document.status];
    if (way === undefined) {
      const stray = { euid, act: 'look-up', status: document.status, registeredAt, recordedAt: at, answer } as const;
      return (await tx.strayRegistrations.add(tenant, docUid, stray)) ? 'stray' : null;
    }
    const accepted = { failureCode: null, failureMessage: null, ujp: acceptedAnswer(registration), failures: 0 };
    const record = { at, ...accepted, dueAt: at };
    if (!(await tx.outbound.move(tenant, docUid, document.status, way, record))) return null;
    const ordinal = await tx.deliveries.beginAttempt(tenant, docUid, 'look-up', at);
    const end = { outcome: 'registered', failureCode: null, message: null, answer, endedAt: at } as const;
    await tx.deliveries.endAttempt(tenant, docUid, ordinal, end);
    await followRegistered(tx, tenant, docUid, registration, at);
    return 'accepted';
  });
}
