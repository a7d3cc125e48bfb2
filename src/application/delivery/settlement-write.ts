import { parseEdb } from '../../domain/accounts/edb.ts';
import { afterRefusal } from '../../domain/accounts/queue-state.ts';
import { OUTBOUND_STATUS, type OutboundEvent } from '../../domain/documents/outbound-status.ts';
import { endlessRetryPauseMs, retryPauseMs } from '../../domain/documents/retry-schedule.ts';
import { randomFraction } from '../../domain/values/random-fraction.ts';
import { type Failure, WAITING_FOR_RESUMPTION } from '../errors/failure-catalogue.ts';
import type { Registration } from '../ports/authority.ts';
import type { RecordedAttempt } from '../ports/storage/delivery-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { accountHasChanged, CHANGED_ACCOUNT_PAUSE_MS } from './account-change.ts';
import { acceptedAnswer, rejectedAnswer } from './authority-answer.ts';
import type { Delivery, DeliveryEvent, DeliveryNeeds } from './delivery.ts';
import { findDuplicate, givenUp } from './duplicate-number.ts';
import type { Change, DecisionReads, LeasedWrite } from './leased-write.ts';
import type { AttemptRecord, BegunAttempt, Settlement } from './settlement.ts';

const { sent } = OUTBOUND_STATUS;

/** A document whose request is refused so often while others are taken is peculiar in some way that somebody must look at. */
const MOST_REFUSALS = 5;

type Context = { readonly needs: DeliveryNeeds; readonly delivery: Delivery; readonly begun: BegunAttempt };
type Outcome = DeliveryEvent['outcome'];
type Settled = {
  readonly outcome: Outcome;
  readonly failure: Failure | null;
  readonly queue: 'stopped' | 'resumed' | null;
};
type Unfinished = Extract<Settlement, { result: 'failed' | 'unknown' }>;

/** What the end of an attempt writes, and what is reported of it afterwards. */
export async function settlementWrite(
  context: Context,
  tx: DecisionReads,
  settlement: Settlement,
): Promise<LeasedWrite<Settled>> {
  const { needs, delivery, begun } = context;
  // A document that was not sent yet may have become a duplicate meanwhile.
  const duplicate = begun.act === 'prepare' ? await findDuplicate(tx, delivery) : null;
  if (duplicate !== null) {
    const change = givenUp(delivery, duplicate, needs.clock.now());
    return { change, also: async () => ({ outcome: 'failed', failure: duplicate, queue: null }) };
  }
  if (settlement.result === 'registered') return registered(context, settlement.registration);
  if (settlement.result === 'rejected') return rejected(context, settlement);
  if (settlement.result === 'request-refused') return requestRefused(context, tx, settlement);
  if (settlement.result === 'reopened') return reopened(context, settlement.record);
  return unfinished(context, tx, settlement);
}

function registered(context: Context, registration: Registration): LeasedWrite<Settled> {
  const { document } = context.delivery;
  const at = context.needs.clock.now();
  const ujp = acceptedAnswer(registration);
  // Due at once: clients that see the acceptance ask for the authority's file.
  const record = { at, failureCode: null, failureMessage: null, ujp, failures: 0, dueAt: at };
  return {
    change: { kind: 'move', from: sent, events: 'accept', record },
    async also(tx) {
      const { answer } = registration;
      await end(context, tx, { outcome: 'registered', failureCode: null, message: null, answer });
      const queue = await resumeTenant(context, tx);
      const buyer = document.partnerEdb === null ? null : parseEdb(document.partnerEdb);
      if (buyer !== null) await tx.recurringTasks.runNow(buyer, 'collect', at);
      return { outcome: 'accepted', failure: null, queue };
    },
  };
}

function rejected(
  context: Context,
  { failure, errors, record }: Extract<Settlement, { result: 'rejected' }>,
): LeasedWrite<Settled> {
  const ujp = rejectedAnswer(failure, errors);
  return {
    change: { kind: 'move', from: sent, events: 'reject', record: { ...moveRecord(context, failure), ujp } },
    async also(tx) {
      await end(context, tx, record);
      return { outcome: 'rejected', failure, queue: await resumeTenant(context, tx) };
    },
  };
}

/**
 * Nothing was registered, and nothing is said about the document: it waits, and what follows for the tenant's queue is decided
 * under its lock. Only a refusal while the authority takes other documents counts against the document.
 */
async function requestRefused(
  context: Context,
  reads: DecisionReads,
  { failure, record }: Extract<Settlement, { result: 'request-refused' }>,
): Promise<LeasedWrite<Settled>> {
  const { needs, delivery } = context;
  const { edb } = delivery.tenant;
  const { docUid } = delivery.document;
  const now = needs.clock.now();
  const before = await reads.tenants.queueState(edb);
  const isOfFormerAccount = await accountHasChanged(reads, delivery);
  const after = isOfFormerAccount ? before : afterRefusal(before, { docUid, reason: failure.message, now });
  // The authority takes others: it is about this one.
  const isAgainstIt = before.refusalsInARow === 0 && !isOfFormerAccount;
  const refusals = refusedInARow(await reads.deliveries.attempts(edb, docUid)) + 1;
  const { change, outcome } = isOfFormerAccount
    ? failed(context, failure, true)
    : refusedAgain(context, failure, { isAgainstIt, refusals, until: after.stopped?.until ?? now });
  return {
    change,
    async also(tx) {
      await end(context, tx, record);
      await tx.tenants.saveQueueState(edb, after);
      const isNewStop = before.stopped === null && after.stopped !== null;
      return { outcome, failure, queue: isNewStop ? 'stopped' : null };
    },
  };
}

/** The pause grows with the refusals that count; it is never shorter than the stop of the tenant. */
function refusedAgain(
  context: Context,
  failure: Failure,
  {
    isAgainstIt,
    refusals,
    until,
  }: { readonly isAgainstIt: boolean; readonly refusals: number; readonly until: number },
): { readonly change: Change; readonly outcome: Outcome } {
  const { needs, delivery } = context;
  const failures = delivery.document.failures + (isAgainstIt ? 1 : 0);
  if (isAgainstIt && Math.min(failures, refusals) >= MOST_REFUSALS) {
    const failureMessage = `${failure.message} That was so ${MOST_REFUSALS} times while it took other documents; the operator can queue it again.`;
    return { change: moveFrom30(context, failure, 'give-up', { failures, failureMessage }), outcome: 'failed' };
  }
  const pause = endlessRetryPauseMs(Math.max(1, failures), randomFraction(needs.random));
  const dueAt = Math.max(needs.clock.now() + pause, until);
  return { change: moveFrom30(context, failure, 'try-again', { failures, dueAt }), outcome: 'retry' };
}

/** How often in a row, up to the last try that has ended, the request for the document was refused. */
function refusedInARow(attempts: readonly RecordedAttempt[]): number {
  const latestFirst = attempts.filter(({ act, outcome }) => act !== 'look-up' && outcome !== null).toReversed();
  const other = latestFirst.findIndex(({ outcome }) => outcome !== 'request-refused');
  return other === -1 ? latestFirst.length : other;
}

function reopened(context: Context, record: AttemptRecord): LeasedWrite<Settled> {
  const { edb } = context.delivery.tenant;
  const at = context.needs.clock.now();
  const move = { at, failureCode: null, failureMessage: null, failures: 0, dueAt: at };
  return {
    change: { kind: 'move', from: sent, events: 'try-again', record: move },
    async also(tx) {
      await end(context, tx, record);
      // What the authority rejected is not sent again as it was: the conversion or the lists may have been corrected.
      await tx.deliveries.dropPayload(edb, context.delivery.document.docUid);
      return { outcome: 'retry', failure: null, queue: null };
    },
  };
}

async function unfinished(
  context: Context,
  reads: DecisionReads,
  settlement: Unfinished,
): Promise<LeasedWrite<Settled>> {
  const { needs, delivery } = context;
  const { failure, record, isAccountRefused } = settlement;
  const isOfFormerAccount = isAccountRefused && (await accountHasChanged(reads, delivery));
  const { change, outcome } =
    settlement.result === 'unknown'
      ? ({ change: { kind: 'release', dueAt: settlement.dueAt }, outcome: 'unknown' } as const)
      : failed(context, failure, isOfFormerAccount);
  return {
    change,
    async also(tx) {
      if (record !== null) await end(context, tx, record);
      if (isAccountRefused && !isOfFormerAccount) {
        await tx.tenants.stop(delivery.tenant.edb, failure.message, needs.clock.now());
      }
      return { outcome, failure, queue: null };
    },
  };
}

/** What a former account caused does not count as a failed try of the document. */
function failed(
  context: Context,
  failure: Failure,
  isOfFormerAccount: boolean,
): { readonly change: Change; readonly outcome: Outcome } {
  const { needs, delivery } = context;
  const move = (event: OutboundEvent, more: object) => moveFrom30(context, failure, event, more);
  const now = needs.clock.now();
  if (isOfFormerAccount) {
    return { change: move('try-again', { dueAt: now + CHANGED_ACCOUNT_PAUSE_MS }), outcome: 'retry' };
  }
  const failures = delivery.document.failures + 1;
  const pause = retryPauseMs(failures, randomFraction(needs.random));
  if (pause !== null) return { change: move('try-again', { failures, dueAt: now + pause }), outcome: 'retry' };
  const failureMessage = `${failure.message} All attempts are used up.`;
  return { change: move('give-up', { failures, failureMessage }), outcome: 'failed' };
}

/** A preparation that failed passes through 30 like a send that failed. */
function moveFrom30(context: Context, failure: Failure, event: OutboundEvent, more: object): Change {
  const { delivery, begun } = context;
  const from = begun.path.length === 0 ? sent : delivery.document.status;
  return { kind: 'move', from, events: [...begun.path, event], record: { ...moveRecord(context, failure), ...more } };
}

async function end({ needs, delivery, begun }: Context, { deliveries }: Storage, record: AttemptRecord): Promise<void> {
  const { edb } = delivery.tenant;
  const { docUid } = delivery.document;
  const ordinal = begun.ordinal ?? (await deliveries.beginAttempt(edb, docUid, begun.act, begun.startedAt));
  await deliveries.endAttempt(edb, docUid, ordinal, { ...record, endedAt: needs.clock.now() });
}

/** The authority has dealt with a document: everything that waited for that is due now. */
async function resumeTenant(context: Context, tx: Storage): Promise<'resumed' | null> {
  const { needs, delivery } = context;
  const { edb } = delivery.tenant;
  if (!(await endsStop(context, tx))) return null;
  for (const code of WAITING_FOR_RESUMPTION) await tx.deliveries.retryNow(edb, code, needs.clock.now());
  return 'resumed';
}

/** A look-up shows that the account is accepted, but not that a document that is sent would be taken. */
async function endsStop({ delivery, begun }: Context, { tenants }: Storage): Promise<boolean> {
  const { edb } = delivery.tenant;
  // Not by what was read at the claim: another document may have stopped the tenant since then.
  if (begun.act === 'send') return tenants.recordTaken(edb);
  return (await tenants.find(edb))?.stopped?.cause === 'account' && (await tenants.resume(edb));
}

function moveRecord({ needs }: Context, { code, message }: Failure) {
  return { at: needs.clock.now(), failureCode: code, failureMessage: message };
}
