import type { Edb } from '../../domain/accounts/edb.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import { message } from '../../domain/messages/message.ts';
import { type Failure, failureBecause } from '../errors/failure-catalogue.ts';
import type { PreparedDocument } from '../ports/authority.ts';
import type { ClaimedDocument } from '../ports/storage/delivery-store.ts';
import type { Delivery } from './delivery.ts';
import type { Change, DecisionReads } from './leased-write.ts';

type NumberedDocument = Pick<ClaimedDocument, 'docUid' | 'kind' | 'documentNumber'>;

/**
 * Another document of the same kind and number that is accepted or under way. Within a transaction the tenant is locked: of two
 * duplicates that see each other, the second sees the first ended.
 */
export async function findDuplicate(
  { deliveries }: Pick<DecisionReads, 'deliveries'>,
  { tenant, document }: { readonly tenant: Pick<Tenant, 'edb'>; readonly document: NumberedDocument },
): Promise<Failure | null> {
  const duplicate = await deliveries.findDuplicate(tenant.edb, document);
  if (duplicate === null) return null;
  const { docUid, isVoided } = duplicate;
  return failureBecause('DUPLICATE-NUMBER', message(isVoided ? 'number-voided' : 'number-taken', { docUid }));
}

/** A document that the authority has, and that this database has lost by a restore; or one of which that cannot be told. */
export async function registeredBefore(
  { lostRegistrations }: Pick<DecisionReads, 'lostRegistrations'>,
  tenant: Edb,
  marks: Pick<PreparedDocument, 'docTypeCode' | 'docNumber'>,
): Promise<Failure | null> {
  const lost = await lostRegistrations.find(tenant, marks);
  if (lost === null) return null;
  const { euid, docDate: date, docId } = lost;
  const key = docId === null ? 'number-registered-unclear' : 'number-registered';
  return failureBecause('DUPLICATE-NUMBER', message(key, { euid, date }));
}

/** Ends a document before it is sent. */
export function givenUp({ document }: Pick<Delivery, 'document'>, failure: Failure, at: number): Change {
  const { code, message: failureMessage, sentences: failureSentences } = failure;
  const record = { at, failureCode: code, failureMessage, failureSentences };
  return { kind: 'move', from: document.status, events: 'give-up', record };
}
