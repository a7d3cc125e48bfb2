import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { OUTBOUND_STATUS, transition } from '../../domain/documents/outbound-status.ts';
import { message } from '../../domain/messages/message.ts';
import type { Caller } from '../accounts/caller.ts';
import { documentNotFound } from '../errors/document-not-found.ts';
import { problem } from '../errors/problem.ts';
import type { Clock } from '../ports/platform.ts';
import type { RecordedAttempt } from '../ports/storage/delivery-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock };

export type CancelResult = { readonly docUid: DocUid; readonly status: typeof OUTBOUND_STATUS.cancelled };

/** Who cancels: a client by a call, or an operator. */
export type Canceller = {
  readonly tenant: Pick<Caller['tenant'], 'edb'>;
  readonly call: Pick<Caller['call'], 'auditEntry' | 'markAudited'>;
};

export type CancelOutbound = (caller: Canceller, docUid: DocUid) => Promise<CancelResult>;

const FATE_UNKNOWN =
  'The document was sent, and it is not known yet whether the authority has registered it. Until then it cannot be cancelled.';

const REGISTERED_ALL_THE_SAME =
  'The authority has registered the document, although it was taken for not registered. Ask the operator of this service.';

/** Cancels a document that was not sent to the authority. When it is being sent at the same moment, exactly one of the two wins. */
export function cancelOutbound({ storage, clock }: Needs): CancelOutbound {
  return async (caller, docUid) => {
    // The status may change between the read and the write; then both are repeated.
    for (;;) {
      const cancelled = await tryCancel(caller, docUid);
      if (!cancelled) continue;
      caller.call.markAudited();
      return { docUid, status: OUTBOUND_STATUS.cancelled };
    }
  };

  function tryCancel(caller: Canceller, docUid: DocUid): Promise<boolean> {
    const tenant = caller.tenant.edb;
    return storage.transaction(async (tx) => {
      const document = await tx.outbound.find(tenant, docUid);
      if (document === null) throw documentNotFound();
      if (document.status === OUTBOUND_STATUS.cancelled)
        throw problem('ERR-3004', 'The document was cancelled before.');
      if (transition(document.status, 'cancel') === null) {
        throw problem('ERR-3003', message('status-not-cancellable', { status: document.status }));
      }
      await refuseIfMaybeRegistered(tx, tenant, docUid);
      const record = { at: clock.now(), failureCode: null, failureMessage: null };
      if (!(await tx.outbound.move(tenant, docUid, document.status, 'cancel', record))) return false;
      await tx.deliveries.dropPayload(tenant, docUid);
      await tx.audit.append([caller.call.auditEntry({ httpStatus: 200, docUid })]);
      return true;
    });
  }
}

async function refuseIfMaybeRegistered(tx: Storage, tenant: Edb, docUid: DocUid): Promise<void> {
  if (isFateUnknown(await tx.deliveries.attempts(tenant, docUid))) throw problem('ERR-3003', FATE_UNKNOWN);
  const strays = await tx.strayRegistrations.list(tenant, docUid);
  if (strays.some(({ act }) => !act.startsWith('void'))) throw problem('ERR-3003', REGISTERED_ALL_THE_SAME);
}

/**
 * Whether the document may be registered, now or later, by an attempt that is on record: it was sent, no answer came, and no look-up
 * has shown since then what became of it. Only a look-up can: the answer to a later attempt says nothing about an earlier one.
 */
function isFateUnknown(attempts: readonly Pick<RecordedAttempt, 'act' | 'outcome'>[]): boolean {
  const last = attempts.findLast((attempt) => isLost(attempt) || isResolved(attempt));
  return last !== undefined && isLost(last);
}

function isLost({ act, outcome }: Pick<RecordedAttempt, 'act' | 'outcome'>): boolean {
  return act === 'send' && (outcome === null || outcome === 'unknown');
}

function isResolved({ act, outcome }: Pick<RecordedAttempt, 'act' | 'outcome'>): boolean {
  return act === 'look-up' && (outcome === 'registered' || outcome === 'not-registered');
}
