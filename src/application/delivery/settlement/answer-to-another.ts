import type { Edb } from '../../../domain/accounts/edb.ts';
import { message } from '../../../domain/messages/message.ts';
import { failureBecause } from '../../errors/failure-catalogue.ts';
import type { Registration } from '../../ports/authority.ts';
import type { DeliveryStore, EuidOwner } from '../../ports/storage/delivery-store.ts';
import type { AttemptRecord, Settlement } from '../settlement.ts';
import type { Context } from './settlement-context.ts';

/** How soon a document or a void is looked up when the answer to it is not known. */
export const FIRST_LOOK_UP_MS = 2_000;

type MixedUp = Extract<Settlement, { result: 'unknown' }> & { readonly record: AttemptRecord };

const FAILURE = failureBecause('AUTHORITY-ERROR', message('authority-failed'));

/** What else of the tenant has the EUID; null where nothing has. */
export async function otherOwner(
  { deliveries }: { readonly deliveries: Pick<DeliveryStore, 'registeredAs'> },
  tenant: Edb,
  euid: string,
  own: EuidOwner,
): Promise<EuidOwner | null> {
  const owner = await deliveries.registeredAs(tenant, euid);
  return owner?.docUid === own.docUid && owner.isVoid === own.isVoid ? null : owner;
}

/**
 * The settlement of a send that was answered with the EUID of another document of the tenant, or of a void: something on the way has mixed the answers
 * up. It proves nothing about this one, whose own answer is lost. What a look-up finds was recognised by its `docId`.
 */
export function answerToAnother({ needs }: Context, { euid, answer }: Registration, owner: EuidOwner): MixedUp {
  return {
    result: 'unknown',
    failure: FAILURE,
    record: { outcome: 'unknown', failureCode: FAILURE.code, message: euidOfAnother(euid, owner), answer },
    isAccountRefused: false,
    dueAt: needs.clock.now() + FIRST_LOOK_UP_MS,
  };
}

/** For the operator. */
export function euidOfAnother(euid: string, { docUid, isVoid }: EuidOwner): string {
  const name = isVoid ? `the void of ${docUid}` : docUid;
  return `The authority answered with ${euid}, the EUID of another document (${name})`;
}
