import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { transition } from '../../domain/documents/outbound-status.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly record: RecordCommand };

/** `duplicate`: another document with its number is accepted or under way. `gone`: what it takes is not in the database any more. */
export type ReopenOutbound = (
  tenant: Edb,
  docUid: DocUid,
) => Promise<'reopened' | 'not-found' | 'not-rejected' | 'duplicate' | 'gone'>;

/**
 * Puts a document that the authority rejected back into the queue, because the operator knows that it was a mistake. The
 * authority may have it all the same: so it is looked up first, as after a lost answer, and sent again only when it is not there.
 */
export function reopenOutbound({ storage, clock, record }: Needs): ReopenOutbound {
  return async (tenant, docUid) => {
    return storage.transaction(async (tx) => {
      const document = await tx.outbound.find(tenant, docUid);
      if (document === null) return 'not-found';
      if (transition(document.status, 'reopen') === null) return 'not-rejected';
      if ((await tx.deliveries.findDuplicate(tenant, document)) !== null) return 'duplicate';
      if (!(await isAllHere(tx, tenant, docUid))) return 'gone';
      const at = clock.now();
      // The answer that it was rejected by no longer holds, and there is no other yet; it stays on record with its attempt.
      const change = { at, failureCode: null, failureMessage: null, ujp: null, dueAt: at, failures: 0 };
      if (!(await tx.outbound.move(tenant, docUid, document.status, 'reopen', change))) return 'not-rejected';
      await record(tx, { command: 'outbound retry', target: `${docUid} rejected`, tenant, docUid });
      return 'reopened';
    });
  };
}

/** It is looked up by what was sent, and prepared anew from what was submitted. */
async function isAllHere({ deliveries, outbound }: Storage, tenant: Edb, docUid: DocUid): Promise<boolean> {
  if ((await deliveries.payload(tenant, docUid)) === null) return false;
  return (await outbound.file(tenant, docUid, 'ubl')) !== null;
}
