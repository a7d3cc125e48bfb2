import { parseEdb } from '../../domain/accounts/edb.ts';
import { OUTBOUND_STATUS, type OutboundEvent } from '../../domain/documents/outbound-status.ts';
import { retryPauseMs } from '../../domain/documents/retry-schedule.ts';
import { randomFraction } from '../../domain/values/random-fraction.ts';
import { ACCOUNT_REFUSED, type Failure } from '../errors/failure-catalogue.ts';
import type { Registration } from '../ports/authority.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { accountHasChanged, CHANGED_ACCOUNT_PAUSE_MS } from './account-change.ts';
import { acceptedAnswer, rejectedAnswer } from './authority-answer.ts';
import type { Delivery, DeliveryEvent, DeliveryNeeds } from './delivery.ts';
import { findDuplicate, givenUp } from './duplicate-number.ts';
import type { Change, DecisionReads, LeasedWrite } from './leased-write.ts';
import type { AttemptRecord, BegunAttempt, Settlement } from './settlement.ts';

const { sent } = OUTBOUND_STATUS;

type Context = { readonly needs: DeliveryNeeds; readonly delivery: Delivery; readonly begun: BegunAttempt };
type Outcome = DeliveryEvent['outcome'];
type Settled = { readonly outcome: Outcome; readonly failure: Failure | null };
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
    return { change, also: async () => ({ outcome: 'failed', failure: duplicate }) };
  }
  if (settlement.result === 'registered') return registered(context, settlement.registration);
  if (settlement.result === 'rejected') return rejected(context, settlement);
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
      await resumeTenant(context, tx);
      const buyer = document.partnerEdb === null ? null : parseEdb(document.partnerEdb);
      if (buyer !== null) await tx.recurringTasks.runNow(buyer, 'collect', at);
      return { outcome: 'accepted', failure: null };
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
      await resumeTenant(context, tx);
      return { outcome: 'rejected', failure };
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
      return { outcome, failure };
    },
  };
}

/** What a former account caused does not count as a failed try of the document. */
function failed(
  context: Context,
  failure: Failure,
  isOfFormerAccount: boolean,
): { readonly change: Change; readonly outcome: Outcome } {
  const { needs, delivery, begun } = context;
  const { document } = delivery;
  const from = begun.path.length === 0 ? sent : document.status;
  const record = moveRecord(context, failure);
  const move = (event: OutboundEvent, more: object): Change => {
    return { kind: 'move', from, events: [...begun.path, event], record: { ...record, ...more } };
  };
  if (isOfFormerAccount) {
    return { change: move('try-again', { dueAt: record.at + CHANGED_ACCOUNT_PAUSE_MS }), outcome: 'retry' };
  }
  const failures = document.failures + 1;
  const pause = retryPauseMs(failures, randomFraction(needs.random));
  if (pause !== null) return { change: move('try-again', { failures, dueAt: record.at + pause }), outcome: 'retry' };
  const failureMessage = `${failure.message} All attempts are used up.`;
  return { change: move('give-up', { failures, failureMessage }), outcome: 'failed' };
}

async function end({ needs, delivery, begun }: Context, { deliveries }: Storage, record: AttemptRecord): Promise<void> {
  const { edb } = delivery.tenant;
  const { docUid } = delivery.document;
  const ordinal = begun.ordinal ?? (await deliveries.beginAttempt(edb, docUid, begun.act, begun.startedAt));
  await deliveries.endAttempt(edb, docUid, ordinal, { ...record, endedAt: needs.clock.now() });
}

/** The authority has dealt with a document, so it accepts the account again: everything that waited for that is due now. */
async function resumeTenant({ needs, delivery }: Context, { tenants, deliveries }: Storage): Promise<void> {
  const { edb } = delivery.tenant;
  // Not by what was read at the claim: another document may have stopped the tenant since then.
  if (await tenants.resume(edb)) await deliveries.retryNow(edb, ACCOUNT_REFUSED, needs.clock.now());
}

function moveRecord({ needs }: Context, { code, message }: Failure) {
  return { at: needs.clock.now(), failureCode: code, failureMessage: message };
}
