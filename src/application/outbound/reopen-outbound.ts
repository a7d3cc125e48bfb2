import type { Edb } from '../../domain/accounts/edb.ts';
import { type DocUid, docUidTime } from '../../domain/documents/doc-uid.ts';
import type { OutboundDocument } from '../../domain/documents/outbound-document.ts';
import { transition } from '../../domain/documents/outbound-status.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { type EnvironmentPast, isOfFormerEnvironment, readEnvironmentPast } from './former-environment.ts';

type Needs = { readonly storage: Storage; readonly clock: Clock; readonly record: RecordCommand };

/**
 * `duplicate`: another document with its number is accepted or under way. `gone`: what it takes is not in the database any more.
 * `former-environment`: it was submitted before the tenant's environment was changed.
 */
type Outcome = 'reopened' | 'not-found' | 'not-rejected' | 'duplicate' | 'gone' | 'former-environment';

export type ReopenOutbound = (tenant: Edb, docUid: DocUid) => Promise<Outcome>;

/**
 * Puts a document that the authority rejected back into the queue, because the operator knows that it was a mistake. The
 * authority may have it all the same: so it is looked up first, as after a lost answer, and sent again only when it is not there.
 */
export function reopenOutbound({ storage, clock, record }: Needs): ReopenOutbound {
  const readPast = readEnvironmentPast(storage);
  return async (tenant, docUid) => {
    const past = await readPast(tenant, docUidTime(docUid));
    return storage.transaction(async (tx) => {
      const document = await tx.outbound.find(tenant, docUid);
      if (document === null) return 'not-found';
      const hindrance = await hindranceOf(tx, tenant, document, past);
      if (hindrance !== null) return hindrance;
      const at = clock.now();
      // The answer that it was rejected by no longer holds, and there is no other yet; it stays on record with its attempt.
      const change = { at, failureCode: null, failureMessage: null, ujp: null, dueAt: at, failures: 0 };
      if (!(await tx.outbound.move(tenant, docUid, document.status, 'reopen', change))) return 'not-rejected';
      await record(tx, { command: 'outbound retry', target: `${docUid} rejected`, tenant, docUid });
      return 'reopened';
    });
  };
}

async function hindranceOf(
  tx: Storage,
  tenant: Edb,
  document: OutboundDocument,
  past: EnvironmentPast,
): Promise<Exclude<Outcome, 'reopened' | 'not-found'> | null> {
  if (transition(document.status, 'reopen') === null) return 'not-rejected';
  if (await isOfFormerEnvironment(tx, tenant, document, past)) return 'former-environment';
  if ((await tx.deliveries.findDuplicate(tenant, document)) !== null) return 'duplicate';
  return (await isAllHere(tx, tenant, document.docUid)) ? null : 'gone';
}

/** It is looked up by what was sent, and prepared anew from what was submitted. */
async function isAllHere({ deliveries, outbound }: Storage, tenant: Edb, docUid: DocUid): Promise<boolean> {
  if ((await deliveries.payload(tenant, docUid)) === null) return false;
  return (await outbound.file(tenant, docUid, 'ubl')) !== null;
}
