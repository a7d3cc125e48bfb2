import type { Tenant } from '../../domain/accounts/tenant.ts';
import { retryPauseMs } from '../../domain/documents/retry-schedule.ts';
import { message } from '../../domain/messages/message.ts';
import { randomFraction } from '../../domain/values/random-values.ts';
import { CHANGED_ACCOUNT_PAUSE_MS, isMendedSince } from '../delivery/account-change.ts';
import type { DecisionReads } from '../delivery/leased-write.ts';
import type { AttemptRecord } from '../delivery/settlement.ts';
import { type Failure, failureBecause, WAITING_FOR_CREDENTIAL } from '../errors/failure-catalogue.ts';
import type { PreparedDocument, Registration } from '../ports/authority.ts';
import type { OutboundVoid, VoidSettlement, VoidState } from '../ports/storage/outbound/void-store.ts';
import { HOLD_KNOWN_MS } from '../recovery/hold-delivery.ts';
import { endVoidAttempt, settleRegisteredVoid } from './settle-registered-void.ts';
import type { EndedVoidAttempt, VoidAttempt, VoidNeeds } from './void-delivery.ts';

/** A void in the hands of one worker. Every write is one transaction that fails when the lease is lost. */
export type ClaimedVoid = {
  readonly tenant: Tenant;
  readonly void: OutboundVoid;
  /** Once it may be on record as sent it is looked up, whatever fails. */
  readonly mayBeSent: () => boolean;
  /** Puts a send on record, before a byte leaves. Null when another worker has the void, or delivery is held. */
  readonly beginSend: (document: PreparedDocument, requestTimestamp: string) => Promise<VoidAttempt | null>;
  readonly registered: (attempt: VoidAttempt, registration: Registration) => Promise<void>;
  /** The authority's final no; the document stays as it is. */
  readonly refused: (attempt: VoidAttempt, failure: Failure, record: AttemptRecord) => Promise<void>;
  /** The authority certainly does not have the void: tried again after a pause, or given up after the last one. */
  readonly failed: (failure: Failure, attempt: EndedVoidAttempt | null, isLocal?: boolean) => Promise<void>;
  readonly unknown: (attempt: VoidAttempt, record: AttemptRecord, dueAt: number) => Promise<void>;
  /** It cannot be sent as it is, and was not. */
  readonly giveUp: (failure: Failure, attempt?: EndedVoidAttempt | null) => Promise<void>;
  readonly postpone: (dueAt: number, failure?: Failure | null) => Promise<void>;
  /** Due at once where the stop has been ended since the void was claimed. */
  readonly waitForEndOfStop: () => Promise<void>;
};

export function claimedVoid(needs: VoidNeeds, tenant: Tenant, claimed: OutboundVoid, token: string): ClaimedVoid {
  const { storage, clock } = needs;
  const { edb } = tenant;
  const { docUid } = claimed;
  const claimedAt = clock.now();
  let mayBeSent = claimed.state === 'sent';

  async function decideAndSettle(
    decide: (reads: DecisionReads) => Promise<VoidSettlement>,
    ended: EndedVoidAttempt | null,
  ): Promise<void> {
    const settled = await storage.transaction(async (tx) => {
      const settlement = await decide(tx);
      if (!(await tx.voids.settle(edb, docUid, token, settlement))) return null;
      if (ended !== null) await endVoidAttempt(tx, claimed, ended, clock.now());
      return settlement;
    });
    if (settled === null) return;
    const { state, failureCode, failureMessage } = settled;
    needs.report({ tenant, docUid, state, failureCode, message: failureMessage });
  }

  const settle = (settlement: VoidSettlement, ended: EndedVoidAttempt | null) =>
    decideAndSettle(async () => settlement, ended);

  const postpone = (dueAt: number, failure: Failure | null = null) => settle(postponed(claimed, dueAt, failure), null);

  const end = (state: VoidState, failure: Failure, attempt: EndedVoidAttempt | null) =>
    settle(ended(claimed, state, failure, clock.now()), attempt);

  return {
    tenant,
    void: claimed,
    mayBeSent: () => mayBeSent,
    async beginSend(document, requestTimestamp) {
      mayBeSent = true;
      const sent = { ...document, requestTimestamp };
      const startedAt = clock.now();
      const lease = { token, until: startedAt + needs.leaseMs };
      const begun = await storage.transaction(async (tx) => {
        if (await tx.deliveryHold.isHeldFor(edb)) return 'held';
        if (!(await tx.voids.beginSend(edb, docUid, lease, sent, startedAt))) return null;
        const ordinal = await tx.deliveries.beginAttempt(edb, docUid, 'void-send', startedAt);
        return { act: 'void-send', startedAt, ordinal } as const;
      });
      if (begun !== 'held') return begun;
      await postpone(startedAt + HOLD_KNOWN_MS);
      return null;
    },
    async registered(attempt, registration) {
      const events = await settleRegisteredVoid(needs, tenant, { claimed, token }, attempt, registration);
      for (const event of events) needs.report(event);
    },
    refused: (attempt, failure, record) => end('refused', failure, { attempt, record }),
    failed: (failure, attempt, isLocal = false) =>
      decideAndSettle(async (reads) => {
        // Its pause would be that of a day-long refusal; whoever mends the account makes due only what waits.
        const isOfFormer =
          WAITING_FOR_CREDENTIAL.includes(failure.code) &&
          (await isMendedSince(reads, { tenant, claimedAt }, clock.now()));
        return (isLocal || isOfFormer ? triedSoon : failedSettlement)(needs, claimed, failure);
      }, attempt),
    unknown: (attempt, record, dueAt) =>
      settle(
        { state: 'sent', dueAt, failures: claimed.failures, failureCode: record.failureCode, failureMessage: null },
        { attempt, record },
      ),
    giveUp: (failure, attempt = null) => end('failed', failure, attempt),
    postpone,
    waitForEndOfStop: () =>
      decideAndSettle(async ({ tenants }) => {
        const stopped = (await tenants.find(edb))?.stopped ?? null;
        return postponed(claimed, stopped?.until ?? clock.now(), null);
      }, null),
  };
}

function ended({ failures }: OutboundVoid, state: VoidState, failure: Failure, endedAt: number): VoidSettlement {
  return { state, dueAt: null, failures, failureCode: failure.code, failureMessage: failure.message, endedAt };
}

function postponed(claimed: OutboundVoid, dueAt: number, failure: Failure | null): VoidSettlement {
  const { state, failures } = claimed;
  const failureCode = failure?.code ?? claimed.failureCode;
  const failureMessage = failure?.message ?? claimed.failureMessage;
  return { state, dueAt, failures, failureCode, failureMessage };
}

/** The key of this process does not open and another one tries, or it was the former account that was not accepted. */
function triedSoon({ clock }: VoidNeeds, { failures }: OutboundVoid, { code, message }: Failure): VoidSettlement {
  const dueAt = clock.now() + CHANGED_ACCOUNT_PAUSE_MS;
  return { state: 'requested', dueAt, failures, failureCode: code, failureMessage: message };
}

/** A void that cannot be sent for two days is given up: carried out weeks later it would take everybody by surprise. */
function failedSettlement({ clock, random }: VoidNeeds, claimed: OutboundVoid, failure: Failure): VoidSettlement {
  const failures = claimed.failures + 1;
  const pause = retryPauseMs(failures, randomFraction(random));
  const { code: failureCode, message: failureMessage } = failure;
  const now = clock.now();
  if (pause !== null) {
    return { state: 'requested', dueAt: now + pause, failures, failureCode, failureMessage };
  }
  const last = failureBecause(failureCode, ...failure.sentences, message('attempts-used-up'));
  return { state: 'failed', dueAt: null, failures, failureCode, failureMessage: last.message, endedAt: now };
}
