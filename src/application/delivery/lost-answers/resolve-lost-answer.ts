import { LONGEST_LOOK_UP_PAUSE_MS, lookUpPauseMs } from '../../../domain/documents/retry-schedule.ts';
import { StoredDamage } from '../../errors/damage.ts';
import { AuthorityCallError } from '../../ports/authority.ts';
import type { RecordedAttempt, StoredPayload } from '../../ports/storage/delivery-store.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import type { ClaimedDelivery } from '../claimed-delivery.ts';
import type { DeliveryNeeds } from '../delivery.ts';
import {
  failureOf,
  INTERRUPTED,
  lostAnswer,
  recordOf,
  rejection,
  reportedErrorsOf,
  STORED_DAMAGE,
} from '../delivery-failure.ts';
import type { Settlement } from '../settlement.ts';
import { type Absence, type Absences, isWordBelieved } from './absences.ts';
import { findOwnRegistration } from './find-own-registration.ts';

const NOT_REGISTERED = { outcome: 'not-registered', failureCode: null, message: null, answer: null } as const;

/**
 * A document was sent and its answer is not known: it is looked up before anything else is done with it. It leaves this
 * state by knowledge alone: found there, or not there once no request of ours can arrive any more and its lists would show it.
 */
export async function resolveLostAnswer(
  needs: DeliveryNeeds,
  absences: Absences,
  claimed: ClaimedDelivery,
): Promise<void> {
  const { authority } = needs;
  const { tenant, document } = claimed;
  const payload = await storedPayload(needs, claimed);
  const madeAt = payload?.requestTimestamp ?? payload?.sentAt ?? null;
  if (payload === null || madeAt === null) {
    throw new Error(`Document ${document.docUid} was sent, but what was sent is missing`);
  }
  const lookUp = claimed.beginLookUp();
  let sinceSentMs: number;
  let absence: Absence;
  try {
    // Before the look-up: what it does not find was not there at this time of the authority.
    sinceSentMs = await authority.sinceRequestMs(tenant, madeAt);
    absence = absences.beforeLookUp(`${document.docUid} ${madeAt}`, sinceSentMs);
    const registration = await findOwnRegistration(needs, tenant, payload, { docUid: document.docUid, isVoid: false });
    if (registration !== null) return await lookUp.settle({ result: 'registered', registration });
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    return lookUp.settle(await couldNotLookUp(needs, claimed, payload, error));
  }
  const settlement = absence.isCertain ? await settlementOfMissing(needs, claimed, payload, sinceSentMs) : null;
  if (settlement !== null) return lookUp.settle(settlement);
  return claimed.postpone(needs.clock.now() + absence.pauseMs);
}

/** What is damaged could be looked up under a wrong number, and not be found: nothing is known then, and nothing may follow from it. */
async function storedPayload(needs: DeliveryNeeds, claimed: ClaimedDelivery): Promise<StoredPayload | null> {
  const { tenant, document } = claimed;
  try {
    return await needs.storage.deliveries.payload(tenant.edb, document.docUid);
  } catch (error) {
    if (error instanceof StoredDamage) await claimed.beginLookUp().settle(await heldByDamage(needs, claimed));
    throw error;
  }
}

async function heldByDamage({ storage, clock }: DeliveryNeeds, claimed: ClaimedDelivery): Promise<Settlement> {
  const { code: failureCode, message } = STORED_DAMAGE;
  const record = { outcome: 'failed', failureCode, message, answer: null } as const;
  return {
    result: 'unknown',
    failure: STORED_DAMAGE,
    record: (await isOnRecord(storage, claimed, failureCode)) ? null : record,
    isAccountRefused: false,
    // Until the operator has repaired it.
    dueAt: clock.now() + LONGEST_LOOK_UP_PAUSE_MS,
  };
}

/** Null while the authority's word is believed that it has the document. */
async function settlementOfMissing(
  { storage, authority, clock }: DeliveryNeeds,
  { tenant, document }: ClaimedDelivery,
  payload: StoredPayload,
  sinceSentMs: number,
): Promise<Settlement | null> {
  const attempts = await storage.deliveries.attempts(tenant.edb, document.docUid);
  const last = attempts.findLast(({ act }) => act === 'send') ?? null;
  if (last?.outcome === 'refused' || wasFoundMissing(attempts)) return { result: 'reopened', record: NOT_REGISTERED };
  const errors = reportedErrorsOf(last);
  const { meaning } = authority.interpret(errors);
  if (meaning === 'already-registered') {
    const now = clock.now();
    if (isWordBelieved(sinceSentMs, now - (payload.sentAt ?? now))) return null;
    return { result: 'rejected', failure: rejection(authority, errors), errors, record: NOT_REGISTERED };
  }
  const failure = last === null ? INTERRUPTED : lostAnswer(last);
  // Its own failures, and codes of a form that nobody knows, say nothing about the document, and every document may get them: never final.
  if (errors.length > 0) {
    return { result: 'request-refused', failure, record: NOT_REGISTERED, sentAt: payload.sentAt };
  }
  return { result: 'failed', failure, record: NOT_REGISTERED, isAccountRefused: false, isLocal: false };
}

/**
 * By a look-up since its last send: that has ended it, when the authority's word that it has the document (E1023) was not believed any more, and
 * the operator has reopened it.
 */
function wasFoundMissing(attempts: readonly RecordedAttempt[]): boolean {
  const latest = attempts.findLast(({ act, outcome }) => act === 'send' || outcome === NOT_REGISTERED.outcome);
  return latest?.act === 'look-up';
}

/** On record when it says something new: an outage of a day is one row, not hundreds. */
async function couldNotLookUp(
  { storage, authority, clock }: DeliveryNeeds,
  claimed: ClaimedDelivery,
  payload: StoredPayload,
  error: AuthorityCallError,
): Promise<Settlement> {
  const now = clock.now();
  const record = recordOf(authority, 'failed', error);
  const isKnown = await isOnRecord(storage, claimed, record.failureCode);
  return {
    result: 'unknown',
    failure: failureOf(authority, error),
    record: isKnown ? null : record,
    isAccountRefused: error.kind === 'credentials',
    dueAt: now + lookUpPauseMs(now - (payload.sentAt ?? now)),
  };
}

async function isOnRecord(
  { deliveries }: Pick<Storage, 'deliveries'>,
  { tenant, document }: ClaimedDelivery,
  failureCode: string | null,
): Promise<boolean> {
  const last = (await deliveries.attempts(tenant.edb, document.docUid)).at(-1);
  return last?.act === 'look-up' && last.failureCode === failureCode;
}
