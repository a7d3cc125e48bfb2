import { lookAgainMs } from '../../domain/documents/retry-schedule.ts';
import { AuthorityCallError, type Registration } from '../ports/authority.ts';
import type { Attempt, AttemptEnd, StoredPayload } from '../ports/storage/delivery-store.ts';
import type { Delivery, DeliveryNeeds } from './delivery.ts';
import {
  ALREADY_THERE,
  failureOf,
  INTERRUPTED,
  lostAnswer,
  recorded,
  refusal,
  theirCodeOf,
} from './delivery-failure.ts';
import { accept, reject, report, tryAgain } from './settle-delivery.ts';
import { stopTenant } from './stop-tenant.ts';

/** The authority says no more than that it failed; now and then what it fails on is the document. */
const THEIR_FAULTS: ReadonlySet<string | null> = new Set(['E5000', 'E5001', 'E4009']);
/** After so many of them in a row it is the document's fault. */
const PATIENCE_WITH_THEIR_FAULTS = 4;

/** So long the authority's own word that it has the document is believed over its lists, which may lag behind. */
const BELIEF_MS = 24 * 3_600_000;

/**
 * A document was sent and its answer is not known: it is looked up before anything else is done with it. It leaves this
 * state by knowledge alone: found there, or not there when no request of ours can arrive any more.
 */
export async function resolveLostAnswer(needs: DeliveryNeeds, delivery: Delivery): Promise<void> {
  const { storage, authority, clock } = needs;
  const { tenant, document } = delivery;
  const payload = await storage.deliveries.payload(tenant.edb, document.docUid);
  if (payload === null) throw new Error(`Document ${document.docUid} was sent, but what was sent is missing`);
  const startedAt = clock.now();
  try {
    const found = await authority.findRegistered(tenant, payload);
    if (found !== null) await settleFound(needs, delivery, startedAt, found);
    else if (startedAt - (payload.sentAt ?? 0) >= needs.outcomeWindowMs)
      await settleMissing(needs, delivery, startedAt, payload);
    else await lookAgain(needs, delivery, payload);
  } catch (error) {
    if (!(error instanceof AuthorityCallError)) throw error;
    await couldNotLook(needs, delivery, payload, startedAt, error);
  }
}

async function settleFound(needs: DeliveryNeeds, delivery: Delivery, startedAt: number, found: Registration) {
  await needs.storage.transaction(async (tx) => {
    await putOnRecord(tx.deliveries, needs, delivery, startedAt, { outcome: 'registered', answer: found.answer });
    await accept(tx, needs, delivery, found);
  });
  report(needs, delivery, 'accepted');
}

async function settleMissing(
  needs: DeliveryNeeds,
  delivery: Delivery,
  startedAt: number,
  payload: StoredPayload,
): Promise<void> {
  const { storage } = needs;
  const { tenant, document } = delivery;
  const attempts = await storage.deliveries.attempts(tenant.edb, document.docUid);
  const last = attempts.findLast(({ act }) => act === 'send') ?? null;
  const code = theirCodeOf(last?.failureCode ?? null);
  if (code === ALREADY_THERE && startedAt - (payload.sentAt ?? 0) < BELIEF_MS) {
    return lookAgain(needs, delivery, payload);
  }
  const isFinal =
    code === ALREADY_THERE || timesTheirFault(attempts, document.failures + 1) >= PATIENCE_WITH_THEIR_FAULTS;
  const errors = code === null ? [] : [{ code, message: last?.message ?? null }];
  const failure = isFinal ? refusal(errors) : last === null ? INTERRUPTED : lostAnswer(last);
  const outcome = await storage.transaction(async (tx) => {
    await putOnRecord(tx.deliveries, needs, delivery, startedAt, { outcome: 'not-registered' });
    if (!isFinal) return tryAgain(tx, needs, delivery, failure);
    await reject(tx, needs, delivery, failure, errors);
    return 'rejected';
  });
  report(needs, delivery, outcome, failure);
}

/** How often in a row the authority failed on the document, of the last so many tries. */
function timesTheirFault(attempts: readonly Attempt[], tries: number): number {
  const latestFirst = attempts.filter(({ act }) => act !== 'look-up').toReversed();
  const isOther = ({ act, failureCode }: Attempt) => act !== 'send' || !THEIR_FAULTS.has(theirCodeOf(failureCode));
  const other = latestFirst.findIndex(isOther);
  return Math.min(other === -1 ? latestFirst.length : other, tries);
}

async function lookAgain(needs: DeliveryNeeds, { tenant, document, token }: Delivery, payload: StoredPayload) {
  const now = needs.clock.now();
  const sentAt = payload.sentAt ?? now;
  const conclusiveAt = sentAt + needs.outcomeWindowMs;
  const soon = now + lookAgainMs(now - sentAt);
  const dueAt = now < conclusiveAt ? Math.min(soon, conclusiveAt) : soon;
  await needs.storage.transaction((tx) => tx.deliveries.release(tenant.edb, document.docUid, token, { dueAt }));
}

/** Put on record when it says something new: an outage of a day is one row, not hundreds. */
async function couldNotLook(
  needs: DeliveryNeeds,
  delivery: Delivery,
  payload: StoredPayload,
  startedAt: number,
  fault: AuthorityCallError,
): Promise<void> {
  const { storage, clock } = needs;
  const { tenant, document } = delivery;
  const attempts = await storage.deliveries.attempts(tenant.edb, document.docUid);
  const last = attempts.at(-1);
  const end = { outcome: 'failed', ...recorded(fault) } as const;
  await storage.transaction(async (tx) => {
    if (last?.act !== 'look-up' || last.failureCode !== end.failureCode) {
      await putOnRecord(tx.deliveries, needs, delivery, startedAt, end);
    }
    if (fault.kind === 'credentials') await stopTenant(tx, delivery, failureOf(fault).message, clock.now());
  });
  await lookAgain(needs, delivery, payload);
  report(needs, delivery, 'unknown', failureOf(fault));
}

async function putOnRecord(
  deliveries: DeliveryNeeds['storage']['deliveries'],
  { clock }: DeliveryNeeds,
  { tenant, document }: Delivery,
  startedAt: number,
  how: Pick<AttemptEnd, 'outcome'> & Partial<AttemptEnd>,
): Promise<void> {
  const ordinal = await deliveries.beginAttempt(tenant.edb, document.docUid, 'look-up', startedAt);
  const { outcome, failureCode = null, message = null, answer = null } = how;
  const end = { endedAt: clock.now(), outcome, failureCode, message, answer };
  await deliveries.endAttempt(tenant.edb, document.docUid, ordinal, end);
}
