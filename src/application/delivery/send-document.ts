import { leaveOutMore } from '../../domain/documents/left-out-references.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { message } from '../../domain/messages/message.ts';
import { StoredDamage } from '../errors/damage.ts';
import { failureBecause } from '../errors/failure-catalogue.ts';
import { KeyUnopened } from '../errors/key-unopened.ts';
import { typesWithoutReferences } from '../outbound/reference-refusals.ts';
import { AuthorityCallError } from '../ports/authority.ts';
import type { StoredPayload } from '../ports/storage/delivery-store.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import type { DeliveryNeeds } from './delivery.ts';
import { failureOf, recordOf, STORED_DAMAGE } from './delivery-failure.ts';
import { FIRST_LOOK_UP_MS } from './settlement/answer-to-another.ts';
import type { Settlement } from './settlement.ts';
import { isUnforeseen } from './unforeseen-failure.ts';

type Ready = { readonly payload: StoredPayload; readonly requestTimestamp: string };

/** Prepares a document, puts the attempt on record, sends the document to the authority and settles what came of it. */
export async function sendDocument(needs: DeliveryNeeds, claimed: ClaimedDelivery): Promise<void> {
  const ready = await makeReady(needs, claimed);
  if (ready === null) return;
  const attempt = await claimed.beginSend(ready.payload, ready.requestTimestamp);
  if (attempt !== null) await attempt.settle(await send(needs, claimed, ready));
}

/** The payload and the time to sign; null when the document has failed or its preparation is to be repeated. */
async function makeReady(needs: DeliveryNeeds, claimed: ClaimedDelivery): Promise<Ready | null> {
  const { storage, authority } = needs;
  const { tenant, document } = claimed;
  const preparation = claimed.beginPreparation();
  try {
    const isFirstTime = document.status === OUTBOUND_STATUS.received;
    const stored = isFirstTime ? null : await storage.deliveries.payload(tenant.edb, document.docUid);
    const payload = stored ?? (await prepare(needs, claimed));
    if (payload === null) return null;
    return { payload, requestTimestamp: await authority.requestTimestamp(tenant) };
  } catch (error) {
    if (error instanceof StoredDamage) await claimed.giveUp(STORED_DAMAGE, []);
    if (!(error instanceof AuthorityCallError)) {
      // Where even this write fails, the lease runs out; what is reported is the error itself.
      if (isUnforeseen(error)) await claimed.failUnforeseen(preparation.startedAt, error).catch(() => undefined);
      throw error;
    }
    // The authority could not even be asked for what the document needs: an attempt whose outcome is known.
    await preparation.settle(certainFailure(needs, error));
    return null;
  }
}

async function prepare(needs: DeliveryNeeds, claimed: ClaimedDelivery): Promise<StoredPayload | null> {
  const { storage, authority, reader, clock } = needs;
  const { tenant, document } = claimed;
  if (await claimed.endIfDuplicate()) return null;
  const file = await storage.outbound.file(tenant.edb, document.docUid, 'ubl');
  if (file === null) throw new Error(`The file of document ${document.docUid} is missing`);
  const content = await reader.content(tenant.edb, file.bytes);
  const preparation = await authority.prepare(
    tenant,
    document.docUid,
    content,
    (references) => storage.deliveries.findAccepted(tenant.edb, references),
    { leftOut: document.leftOutReferences, refusedOn: await typesWithoutReferences(storage, tenant, clock.now()) },
  );
  if (preparation.outcome === 'failed') {
    const { failureCode, sentences, warnings } = preparation;
    await claimed.giveUp(failureBecause(failureCode, ...sentences), warnings);
    return null;
  }
  return { ...preparation.document, warnings: preparation.warnings, requestTimestamp: null, sentAt: null };
}

async function send(needs: DeliveryNeeds, claimed: ClaimedDelivery, ready: Ready): Promise<Settlement> {
  try {
    const registration = await needs.authority.send(claimed.tenant, ready.payload, ready.requestTimestamp);
    return { result: 'registered', registration };
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    return settlementOf(needs, claimed, ready, error);
  }
}

function settlementOf(
  needs: DeliveryNeeds,
  { document }: ClaimedDelivery,
  { payload }: Ready,
  error: AuthorityCallError,
): Settlement {
  const { authority, clock } = needs;
  const failure = failureOf(authority, error);
  const { meaning } = authority.interpret(error.errors);
  if (error.isUncertain || meaning === 'already-registered') {
    const record = recordOf(authority, 'unknown', error);
    return { result: 'unknown', failure, record, isAccountRefused: false, dueAt: clock.now() + FIRST_LOOK_UP_MS };
  }
  if (error.kind !== 'refused') return certainFailure(needs, error);
  const record = recordOf(authority, 'refused', error);
  const references = meaning === 'references' ? authority.refusedReferences(payload, error.errors) : null;
  const leaveOut = references === null ? null : leaveOutMore(document.leftOutReferences, references);
  if (leaveOut === null) return { result: 'rejected', failure, errors: error.errors, record };
  const sentAgain = failureBecause(failure.code, ...failure.sentences, message('sent-without-references'));
  return { result: 'references-refused', failure: sentAgain, record, leaveOut };
}

/** The authority certainly does not have the document. */
function certainFailure({ authority }: DeliveryNeeds, error: AuthorityCallError): Settlement {
  if (error.kind === 'request-refused') {
    const record = recordOf(authority, 'request-refused', error);
    return { result: 'request-refused', failure: failureOf(authority, error), record, sentAt: null };
  }
  const record = recordOf(authority, 'failed', error);
  const isAccountRefused = error.kind === 'credentials';
  const isLocal = error.cause instanceof KeyUnopened;
  return { result: 'failed', failure: failureOf(authority, error), record, isAccountRefused, isLocal };
}
