import { INTERRUPTED, lostAnswer, rejection, reportedErrorsOf } from '../delivery/delivery-failure.ts';
import { type Absences, isWordBelieved } from '../delivery/lost-answers/absences.ts';
import { findOwnRegistration } from '../delivery/lost-answers/find-own-registration.ts';
import type { ClaimedVoid } from './claimed-void.ts';
import type { VoidNeeds } from './void-delivery.ts';

const NOT_REGISTERED = { outcome: 'not-registered', failureCode: null, message: null, answer: null } as const;

/** A void was sent and its answer is not known: it is looked up, and sent again only when it cannot arrive any more. */
export async function resolveVoid(needs: VoidNeeds, absences: Absences, claimed: ClaimedVoid): Promise<void> {
  const { storage, authority, clock } = needs;
  const { tenant, void: sentVoid } = claimed;
  const { sent, docUid } = sentVoid;
  if (sent === null) throw new Error(`The void of ${docUid} was sent, but what was sent is missing`);
  const lookUp = { act: 'void-look-up', startedAt: clock.now(), ordinal: null } as const;
  // By the authority's clock, and before the look-up: what it does not find was not there at this time.
  const madeAt = sent.requestTimestamp ?? sent.sentAt;
  const sinceSentMs = await authority.sinceRequestMs(tenant, madeAt);
  const absence = absences.beforeLookUp(`${docUid} ${madeAt}`, sinceSentMs);
  const registration = await findOwnRegistration(needs, tenant, sent, { docUid, isVoid: true });
  if (registration !== null) return claimed.registered(lookUp, registration);
  const nextLookUpAt = clock.now() + absence.pauseMs;
  if (!absence.isCertain) return claimed.postpone(nextLookUpAt);
  const attempts = await storage.deliveries.attempts(tenant.edb, docUid);
  const last = attempts.findLast(({ act }) => act === 'void-send') ?? null;
  const errors = reportedErrorsOf(last);
  if (authority.interpret(errors).meaning === 'already-registered') {
    if (isWordBelieved(sinceSentMs, clock.now() - sent.sentAt)) return claimed.postpone(nextLookUpAt);
    return claimed.refused(lookUp, rejection(authority, errors), NOT_REGISTERED);
  }
  const failure = last === null ? INTERRUPTED : lostAnswer(last);
  return claimed.failed(failure, { attempt: lookUp, record: NOT_REGISTERED });
}
