import { isSameEuid } from '../../../domain/documents/euid.ts';
import { OUTBOUND_STATUS } from '../../../domain/documents/outbound-status.ts';
import type { Registration } from '../../ports/authority.ts';
import type { EuidOwner } from '../../ports/storage/delivery-store.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { AttemptRecord } from '../settlement.ts';
import { acceptance } from '../settlement-write.ts';
import { answerToAnother, otherOwner } from './answer-to-another.ts';
import { type Context, end, type Settled } from './settlement-context.ts';

/** An acceptance, or a sentence about a registration that does not fit; null when it was known already. */
type LateSettlement = Settled | { readonly stray: string };

/**
 * The authority has registered the document, but its worker lost the lease meanwhile. An EUID is never thrown away: nothing else
 * tells of a registration that should not be. While the document still waits for the outcome of that very attempt, it is
 * accepted, whoever has claimed it; otherwise the registration is kept beside it, for the operator.
 */
export function settleLateRegistration(context: Context, registration: Registration): Promise<LateSettlement | null> {
  return context.needs.storage.transaction(async (tx) => {
    const { tenant, document } = context.delivery;
    const own = { docUid: document.docUid, isVoid: false };
    const owner = await otherOwner(tx, tenant.edb, registration.euid, own);
    // Its EUID is on record where it belongs.
    if (owner !== null && context.begun.act === 'send')
      return endUnknown(tx, context, answerToAnother(context, registration, owner).record);
    return (await acceptLate(tx, context, registration, owner)) ?? recordStray(tx, context, registration);
  });
}

async function endUnknown(tx: Storage, context: Context, record: AttemptRecord): Promise<null> {
  await end(context, tx, record);
  return null;
}

async function acceptLate(
  tx: Storage,
  context: Context,
  registration: Registration,
  mistaken: EuidOwner | null,
): Promise<Settled | null> {
  const { tenant, document } = context.delivery;
  if (!(await isLastSend(tx, context))) return null;
  const { change, also } = acceptance(context, registration, mistaken);
  const isMoved = await tx.outbound.move(tenant.edb, document.docUid, change.from, change.events, change.record);
  return isMoved ? also(tx) : null;
}

/** What a look-up finds has the document's own `docId`: it is the outcome of whichever send was the last. */
async function isLastSend({ deliveries }: Storage, { delivery, begun }: Context): Promise<boolean> {
  if (begun.act === 'look-up') return true;
  return (await deliveries.lastAttempt(delivery.tenant.edb, delivery.document.docUid, 'send')) === begun.ordinal;
}

async function recordStray(tx: Storage, context: Context, registration: Registration): Promise<LateSettlement | null> {
  const { needs, delivery, begun } = context;
  const { edb } = delivery.tenant;
  const { docUid } = delivery.document;
  const { euid, registeredAt, answer } = registration;
  const document = await tx.outbound.find(edb, docUid);
  if (document === null) throw new Error(`Document ${docUid} was registered as ${euid}, but is not there any more`);
  // The attempt is this worker's alone, and would be shown as interrupted for ever.
  await end(context, tx, { outcome: 'registered', failureCode: null, message: null, answer });
  if (document.status === OUTBOUND_STATUS.accepted && isSameEuid(document.ujp?.euid, euid)) return null;
  const stray = { euid, act: begun.act, status: document.status, registeredAt, recordedAt: needs.clock.now(), answer };
  if (!(await tx.strayRegistrations.add(edb, docUid, stray))) return null;
  return {
    stray: `The authority has registered the document as ${euid}, but here it is in status ${document.status}.`,
  };
}
