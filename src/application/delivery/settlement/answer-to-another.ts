import { message } from '../../../domain/messages/message.ts';
import { failureBecause } from '../../errors/failure-catalogue.ts';
import type { Registration } from '../../ports/authority.ts';
import type { EuidOwner } from '../../ports/storage/delivery-store.ts';
import type { DecisionReads } from '../leased-write.ts';
import type { AttemptRecord, Settlement } from '../settlement.ts';
import type { Context } from './settlement-context.ts';

/** How soon a document is looked up when the answer to it is not known. */
export const FIRST_LOOK_UP_MS = 2_000;

type MixedUp = Extract<Settlement, { result: 'unknown' }> & { readonly record: AttemptRecord };

const FAILURE = failureBecause('AUTHORITY-ERROR', message('authority-failed'));

/**
 * The settlement of a send that was answered with the EUID of another document of the tenant, or of a void: something on the way has mixed the answers
 * up. It proves nothing about this one, whose own answer is lost. What a look-up finds was recognised by its `docId`. Null where the EUID is new.
 */
export async function answerToAnother(
  { needs, delivery, begun }: Context,
  { deliveries }: Pick<DecisionReads, 'deliveries'>,
  { euid, answer }: Registration,
): Promise<MixedUp | null> {
  if (begun.act !== 'send') return null;
  const owner = await deliveries.registeredAs(delivery.tenant.edb, euid);
  if (owner === null || (!owner.isVoid && owner.docUid === delivery.document.docUid)) return null;
  const words = `The authority answered with ${euid}, the EUID of another document (${nameOf(owner)})`;
  return {
    result: 'unknown',
    failure: FAILURE,
    record: { outcome: 'unknown', failureCode: FAILURE.code, message: words, answer },
    isAccountRefused: false,
    dueAt: needs.clock.now() + FIRST_LOOK_UP_MS,
  };
}

/** For the operator. */
export function nameOf({ docUid, isVoid }: EuidOwner): string {
  return isVoid ? `the void of ${docUid}` : docUid;
}
