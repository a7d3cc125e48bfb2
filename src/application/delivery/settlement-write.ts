import { parseEdb } from '../../domain/accounts/edb.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { WAITING_FOR_RESUMPTION } from '../errors/failure-catalogue.ts';
import type { Registration } from '../ports/authority.ts';
import type { EuidOwner } from '../ports/storage/delivery-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { isOfFormerAccount } from './account-change.ts';
import { acceptedAnswer, rejectedAnswer } from './authority-answer.ts';
import { findDuplicate, givenUp } from './duplicate-number.ts';
import type { DecisionReads, LeasedWrite, Move } from './leased-write.ts';
import { retryWaiting } from './retry-waiting.ts';
import { answerToAnother, otherOwner } from './settlement/answer-to-another.ts';
import { failedAttempt } from './settlement/failed-attempt.ts';
import { followRegistered } from './settlement/follow-registered.ts';
import { recordMistaken } from './settlement/mistaken-owner.ts';
import { requestRefused } from './settlement/refusal-write.ts';
import { type Context, end, moveRecord, type Settled } from './settlement/settlement-context.ts';
import type { AttemptRecord, Settlement } from './settlement.ts';

const { sent } = OUTBOUND_STATUS;

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
  if (settlement.result === 'registered') return registered(context, tx, settlement.registration);
  if (settlement.result === 'rejected') return rejected(context, settlement);
  if (settlement.result === 'request-refused') return requestRefused(context, tx, settlement);
  if (settlement.result === 'references-refused') return referencesRefused(context, settlement);
  if (settlement.result === 'reopened') return reopened(context, settlement.record);
  return unfinished(context, tx, settlement);
}

async function registered(context: Context, tx: DecisionReads, registration: Registration) {
  const { delivery, begun } = context;
  const own = { docUid: delivery.document.docUid, isVoid: false };
  const owner = await otherOwner(tx, delivery.tenant.edb, registration.euid, own);
  if (owner === null || begun.act === 'look-up') return acceptance(context, registration, owner);
  return unfinished(context, tx, answerToAnother(context, registration, owner));
}

/** The move of a document that the authority has registered, and what follows from it, also for what has its EUID by mistake. */
export function acceptance(
  context: Context,
  registration: Registration,
  mistaken: EuidOwner | null,
): LeasedWrite<Settled> & { readonly change: Move } {
  const { tenant, document } = context.delivery;
  const { docUid } = document;
  const { act } = context.begun;
  const at = context.needs.clock.now();
  const ujp = acceptedAnswer(registration);
  // Due at once: clients that see the acceptance ask for the authority's file.
  const record = { at, failureCode: null, failureMessage: null, ujp, failures: 0, dueAt: at };
  return {
    change: { kind: 'move', from: sent, events: 'accept', record },
    async also(tx) {
      const { answer } = registration;
      await end(context, tx, { outcome: 'registered', failureCode: null, message: null, answer });
      if (document.leftOutReferences === 'all-of-type') await rememberType(context, tx);
      const buyer = document.partnerEdb === null ? null : parseEdb(document.partnerEdb);
      // In one order of tenants: two that invoice each other, and go on after a stop, would each wait for the tasks of the other.
      const isBuyerFirst = buyer !== null && buyer < tenant.edb;
      if (isBuyerFirst) await tx.recurringTasks.runNow(buyer, 'collect', at);
      const queue = await resumeTenant(context, tx);
      await followRegistered(tx, tenant.edb, docUid, registration, at);
      if (buyer !== null && !isBuyerFirst) await tx.recurringTasks.runNow(buyer, 'collect', at);
      if (mistaken === null) return { outcome: 'accepted', failure: null, queue };
      const found = { act, recordedAt: at, registration, docUid };
      return {
        outcome: 'accepted',
        failure: null,
        queue,
        mistaken: await recordMistaken(tx, tenant.edb, mistaken, found),
      };
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

/** The document passed without its references: it was refused because of them, and others of its type would be too. */
async function rememberType({ needs, delivery }: Context, tx: Storage): Promise<void> {
  const { edb, environment } = delivery.tenant;
  const { docUid } = delivery.document;
  const payload = await tx.deliveries.payload(edb, docUid);
  const refused = (await tx.deliveries.attempts(edb, docUid)).findLast(({ outcome }) => outcome === 'refused');
  if (payload === null || refused === undefined) return;
  const reason = [refused.failureCode, refused.message].filter((part) => part !== null).join(' ');
  const refusal = { environment, docTypeCode: payload.docTypeCode, refusedAt: needs.clock.now(), reason };
  await tx.referenceRefusals.save(refusal);
}

/** The authority has dealt with the document and would take it without them, so it is sent at once. */
function referencesRefused(
  context: Context,
  { failure, record, leaveOut }: Extract<Settlement, { result: 'references-refused' }>,
): LeasedWrite<Settled> {
  const { edb } = context.delivery.tenant;
  const at = context.needs.clock.now();
  const move = { ...moveRecord(context, failure), leftOutReferences: leaveOut, failures: 0, dueAt: at };
  return {
    change: { kind: 'move', from: sent, events: 'try-again', record: move },
    async also(tx) {
      await end(context, tx, record);
      await tx.deliveries.dropPayload(edb, context.delivery.document.docUid);
      return { outcome: 'retry', failure, queue: await resumeTenant(context, tx) };
    },
  };
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
  const isOfFormer = await isOfFormerAccount(reads, delivery, failure.code, needs.clock.now());
  const { change, outcome } =
    settlement.result === 'unknown'
      ? ({ change: { kind: 'release', dueAt: settlement.dueAt }, outcome: 'unknown' } as const)
      : failedAttempt(context, failure, isOfFormer || settlement.isLocal);
  return {
    change,
    async also(tx) {
      if (record !== null) await end(context, tx, record);
      if (isAccountRefused && !isOfFormer) {
        await tx.tenants.stop(delivery.tenant.edb, failure.message, needs.clock.now());
      }
      return { outcome, failure, queue: null };
    },
  };
}

/** The authority has dealt with a document: everything that waited for that is due now. */
async function resumeTenant(context: Context, tx: Storage): Promise<'resumed' | null> {
  const { needs, delivery } = context;
  const { edb } = delivery.tenant;
  if (!(await endsStop(context, tx))) return null;
  await retryWaiting(tx, edb, WAITING_FOR_RESUMPTION, needs.clock.now());
  return 'resumed';
}

/** A look-up shows that the account is accepted, but not that a document that is sent would be taken. */
async function endsStop({ needs, delivery, begun }: Context, { tenants }: Storage): Promise<boolean> {
  const { edb } = delivery.tenant;
  const now = needs.clock.now();
  // Not by what was read at the claim: another document may have stopped the tenant since then.
  if (begun.act === 'send') return tenants.recordTaken(edb, now);
  return (await tenants.find(edb))?.stopped?.cause === 'account' && (await tenants.resume(edb, now));
}
