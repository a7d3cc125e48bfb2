import { type Message, message } from '../../domain/messages/message.ts';
import { failureOf, recordOf } from '../delivery/delivery-failure.ts';
import { isNumberShared, isOwnRegistration } from '../delivery/lost-answers/find-own-registration.ts';
import { euidOfAnother, FIRST_LOOK_UP_MS, otherOwner } from '../delivery/settlement/answer-to-another.ts';
import { hasEuidOfAnother } from '../delivery/settlement/mistaken-owner.ts';
import type { AttemptRecord } from '../delivery/settlement.ts';
import { type Failure, failureBecause } from '../errors/failure-catalogue.ts';
import { KeyUnopened } from '../errors/key-unopened.ts';
import { AuthorityCallError, type Registration } from '../ports/authority.ts';
import type { ClaimedVoid } from './claimed-void.ts';
import type { VoidAttempt, VoidNeeds } from './void-delivery.ts';

/** The void would be that of another document. */
class EuidOfAnother extends Error {
  override readonly name = 'EuidOfAnother';
}

/** Puts the void on record as sent, and only then sends it. */
export async function sendVoid(needs: VoidNeeds, claimed: ClaimedVoid): Promise<void> {
  const { storage, authority, clock } = needs;
  const { tenant, void: requested } = claimed;
  const { docUid, reason } = requested;
  const voided = await storage.outbound.find(tenant.edb, docUid);
  const euid = voided?.ujp?.euid ?? null;
  if (voided === null || euid === null) return claimed.giveUp(notExpressible(message('voided-not-registered')));
  const sent = (await storage.deliveries.payload(tenant.edb, docUid))?.text ?? null;
  const own = { docUid, isVoid: true };
  const isShared = (docNumber: string, found: string) =>
    isNumberShared(storage, tenant.edb, { docNumber, euid: found }, own);
  const voidedDocument = { docUid, euid, sent, reason, isNumberShared: isShared };
  const prepared = await authority.prepareVoid(tenant, voidedDocument);
  if (prepared.outcome === 'failed') return claimed.giveUp(notExpressible(prepared.reason));
  if (prepared.outcome === 'registered' && (await isOwnRegistration(storage, tenant, prepared.registration, own))) {
    const lookUp = { act: 'void-look-up', startedAt: clock.now(), ordinal: null } as const;
    return claimed.registered(lookUp, prepared.registration);
  }
  const requestTimestamp = await authority.requestTimestamp(tenant);
  // A look-up of the other may have told it since the void was requested, or tells it while the authority is asked or a turn awaited.
  const ofAnother = notExpressible(message('void-euid-of-another', { document: docUid }));
  const lastCheck = async () => {
    if (await hasEuidOfAnother(storage, tenant.edb, voided)) throw new EuidOfAnother();
  };
  if (await hasEuidOfAnother(storage, tenant.edb, voided)) return claimed.giveUp(ofAnother);
  const attempt = await claimed.beginSend(prepared.document, requestTimestamp);
  if (attempt === null) return;
  try {
    const registration = await authority.send(tenant, { ...prepared.document, lastCheck }, requestTimestamp);
    await refuseAnswerToAnother(needs, claimed, registration);
    await claimed.registered(attempt, registration);
  } catch (error) {
    if (error instanceof EuidOfAnother) return claimed.giveUp(ofAnother, { attempt, record: unsent(ofAnother) });
    if (!(error instanceof AuthorityCallError)) throw error;
    await settleError(needs, claimed, attempt, error);
  }
}

/** A void has an EUID of its own: with that of a document, also of the voided one, or of another void, the answer is none to this request. */
async function refuseAnswerToAnother(
  { storage }: VoidNeeds,
  { tenant, void: own }: ClaimedVoid,
  { euid, answer }: Registration,
): Promise<void> {
  const itself = { docUid: own.docUid, isVoid: true };
  const owner = await storage.transaction((tx) => otherOwner(tx, tenant.edb, euid, itself));
  if (owner === null) return;
  throw new AuthorityCallError(euidOfAnother(euid, owner), { kind: 'error', isUncertain: true, answer });
}

function unsent({ code: failureCode, message }: Failure): AttemptRecord {
  return { outcome: 'failed', failureCode, message, answer: null };
}

function notExpressible(reason: Message): Failure {
  return failureBecause('NOT-EXPRESSIBLE', reason);
}

async function settleError(
  { authority, clock }: VoidNeeds,
  claimed: ClaimedVoid,
  attempt: VoidAttempt,
  error: AuthorityCallError,
): Promise<void> {
  const { meaning } = authority.interpret(error.errors);
  if (error.isUncertain || meaning === 'already-registered') {
    return claimed.unknown(attempt, recordOf(authority, 'unknown', error), clock.now() + FIRST_LOOK_UP_MS);
  }
  const failure = failureOf(authority, error);
  if (error.kind === 'refused') return claimed.refused(attempt, failure, recordOf(authority, 'refused', error));
  const outcome = error.kind === 'request-refused' ? 'request-refused' : 'failed';
  const ended = { attempt, record: recordOf(authority, outcome, error) };
  return claimed.failed(failure, ended, error.cause instanceof KeyUnopened);
}
