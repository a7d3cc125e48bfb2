import { parseEdb } from '../../domain/accounts/edb.ts';
import type { AuthorityAnswer, AuthorityError } from '../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS, type OutboundStatus } from '../../domain/documents/outbound-status.ts';
import { retryPauseMs } from '../../domain/documents/retry-schedule.ts';
import type { Registration } from '../ports/authority.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { type Delivery, type DeliveryEvent, type DeliveryNeeds, draw, insist } from './delivery.ts';
import { ACCOUNT_REFUSED, type Failure } from './delivery-failure.ts';
import { ANOTHER_ACCOUNT_PAUSE_MS, stopTenant } from './stop-tenant.ts';

const { sent, processing } = OUTBOUND_STATUS;

/** A burst of documents is delivered before their final forms are fetched, which cost as much and hurry nobody. */
const FINAL_AFTER_MS = 10_000;

/** The ends that an attempt can come to. Each is one move within the given transaction, under the worker's lease. */

/** Registered. A worker comes again for its final form. */
export async function accept(tx: Storage, needs: DeliveryNeeds, delivery: Delivery, found: Registration) {
  const { tenant, document, token } = delivery;
  const at = needs.clock.now();
  const ujp: AuthorityAnswer = {
    accepted: true,
    euid: found.euid,
    qrLink: found.qrLink,
    registeredAt: found.registeredAt,
    statusCode: found.status.code,
    statusName: found.status.name,
    message: found.message,
    errors: [],
  };
  const record = { at, failureCode: null, failureMessage: null, ujp, failures: 0, lease: { token } };
  const due = { ...record, dueAt: at + FINAL_AFTER_MS };
  insist(await tx.outbound.move(tenant.edb, document.docUid, sent, 'accept', due));
  await accountWorks(tx, needs, delivery);
  const buyer = document.partnerEdb === null ? null : parseEdb(document.partnerEdb);
  if (buyer !== null) await tx.recurringTasks.hasten(buyer, 'collect', at);
}

/** Refused for good. */
export async function reject(
  tx: Storage,
  needs: DeliveryNeeds,
  delivery: Delivery,
  failure: Failure,
  errors: readonly AuthorityError[],
): Promise<void> {
  const { tenant, document, token } = delivery;
  const ujp: AuthorityAnswer = {
    accepted: false,
    euid: null,
    qrLink: null,
    registeredAt: null,
    statusCode: null,
    statusName: null,
    message: errors[0]?.message ?? failure.message,
    errors,
  };
  const record = { ...recordOf(needs, failure), ujp, lease: { token } };
  insist(await tx.outbound.move(tenant.edb, document.docUid, sent, 'reject', record));
  await accountWorks(tx, needs, delivery);
}

/** The account was not accepted: the tenant's queue stops. Where the account has changed meanwhile, it was not this try's fault. */
export async function accountRefused(
  tx: Storage,
  needs: DeliveryNeeds,
  delivery: Delivery,
  failure: Failure,
): Promise<'retry' | 'failed'> {
  if (await stopTenant(tx, delivery, failure.message, needs.clock.now())) {
    return tryAgain(tx, needs, delivery, failure);
  }
  const { tenant, document, token } = delivery;
  const record = recordOf(needs, failure);
  const due = { ...record, lease: { token }, dueAt: record.at + ANOTHER_ACCOUNT_PAUSE_MS };
  insist(await tx.outbound.move(tenant.edb, document.docUid, sent, 'try-again', due));
  return 'retry';
}

/** To be tried again after a pause, or given up when it was tried often enough. */
export async function tryAgain(
  tx: Storage,
  needs: DeliveryNeeds,
  delivery: Delivery,
  failure: Failure,
): Promise<'retry' | 'failed'> {
  const { tenant, document, token } = delivery;
  const failures = document.failures + 1;
  const pause = retryPauseMs(failures, draw(needs.random));
  const record = { ...recordOf(needs, failure), failures, lease: { token } };
  if (pause === null) {
    const message = `${failure.message} All attempts are used up.`;
    insist(
      await tx.outbound.move(tenant.edb, document.docUid, sent, 'give-up', { ...record, failureMessage: message }),
    );
    return 'failed';
  }
  const due = { ...record, dueAt: record.at + pause };
  insist(await tx.outbound.move(tenant.edb, document.docUid, sent, 'try-again', due));
  return 'retry';
}

/** Cannot be delivered as it is. */
export async function giveUp(
  tx: Storage,
  needs: DeliveryNeeds,
  { tenant, document, token }: Delivery,
  from: OutboundStatus,
  failure: Failure,
): Promise<void> {
  const record = { ...recordOf(needs, failure), lease: { token } };
  insist(await tx.outbound.move(tenant.edb, document.docUid, from, 'give-up', record));
}

/** From here on the document counts as sent, whatever happens. */
export async function beginSending(tx: Storage, needs: DeliveryNeeds, delivery: Delivery): Promise<void> {
  const { tenant, document, token } = delivery;
  const at = needs.clock.now();
  const events = document.status === processing ? (['send'] as const) : (['prepare', 'send'] as const);
  const record = { at, failureCode: null, failureMessage: null, lease: { token, keptUntil: at + needs.leaseMs } };
  insist(await tx.outbound.move(tenant.edb, document.docUid, document.status, events, record));
}

export function report(
  needs: DeliveryNeeds,
  { tenant, document }: Delivery,
  outcome: DeliveryEvent['outcome'],
  failure: Failure | null = null,
): void {
  const { code = null, message = null } = failure ?? {};
  needs.report({ outcome, tenant, docUid: document.docUid, failureCode: code, message });
}

/** The authority has dealt with a document: whatever was wrong with the account is mended, for all that wait for it. */
async function accountWorks(tx: Storage, { clock }: DeliveryNeeds, { tenant }: Delivery): Promise<void> {
  if (tenant.stopped === null) return;
  await tx.tenants.resume(tenant.edb);
  await tx.deliveries.hasten(tenant.edb, ACCOUNT_REFUSED, clock.now());
}

function recordOf({ clock }: DeliveryNeeds, { code, message }: Failure) {
  return { at: clock.now(), failureCode: code, failureMessage: message };
}
