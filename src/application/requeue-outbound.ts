import { type DocUid, isDocUid } from '../domain/doc-uid.ts';
import type { Edb } from '../domain/edb.ts';
import { transition } from '../domain/outbound-status.ts';
import type { Clock, Storage } from './ports.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock };

export type RequeueOutbound = (tenant: Edb, docUid: DocUid) => Promise<'requeued' | 'not-found' | 'not-failed'>;

/** Puts a failed document back into the queue, by the operator's hand. */
export function requeueOutbound({ storage, clock }: Needs): RequeueOutbound {
  return async (tenant, docUid) => {
    if (!isDocUid(docUid)) return 'not-found';
    return storage.transaction(async (tx) => {
      const document = await tx.outbound.find(tenant, docUid);
      if (document === null) return 'not-found';
      if (transition(document.status, 'requeue') === null) return 'not-failed';
      const record = { at: clock.now(), failureCode: null, failureMessage: null };
      const moved = await tx.outbound.move(tenant, docUid, document.status, 'requeue', record);
      return moved ? 'requeued' : 'not-failed';
    });
  };
}
