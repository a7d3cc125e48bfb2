import type { Edb } from '../../domain/accounts/edb.ts';
import { type DocUid, docUidTime } from '../../domain/documents/doc-uid.ts';
import { transition } from '../../domain/documents/outbound-status.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { isOfFormerEnvironment, type ReadEnvironmentPast, readEnvironmentPast } from './former-environment.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly record: RecordCommand };

/** `former-environment`: it was submitted before the tenant's environment was changed. */
export type RequeueOutbound = (
  tenant: Edb,
  docUid: DocUid,
  readPast?: ReadEnvironmentPast,
) => Promise<'requeued' | 'not-found' | 'not-failed' | 'former-environment'>;

/** Puts a failed document back into the queue. */
export function requeueOutbound({ storage, clock, record }: Needs): RequeueOutbound {
  return async (tenant, docUid, readPast = readEnvironmentPast(storage)) => {
    const past = await readPast(tenant, docUidTime(docUid));
    return storage.transaction(async (tx) => {
      const document = await tx.outbound.find(tenant, docUid);
      if (document === null) return 'not-found';
      if (transition(document.status, 'requeue') === null) return 'not-failed';
      if (await isOfFormerEnvironment(tx, tenant, document, past)) return 'former-environment';
      const at = clock.now();
      const change = { at, failureCode: null, failureMessage: null, dueAt: at, failures: 0 };
      const moved = await tx.outbound.move(tenant, docUid, document.status, 'requeue', change);
      if (!moved) return 'not-failed';
      // The payload is prepared again: the cause may have been fixed in the authority's register or code lists.
      await tx.deliveries.dropPayload(tenant, docUid);
      await record(tx, { command: 'outbound retry', target: docUid, tenant, docUid });
      return 'requeued';
    });
  };
}
