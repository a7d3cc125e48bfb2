import type { Tenant } from '../../domain/accounts/tenant.ts';
import { VOIDED_STATUS } from '../../domain/documents/authority-status.ts';
import { retryPauseMs } from '../../domain/documents/retry-schedule.ts';
import { type Message, message } from '../../domain/messages/message.ts';
import { randomFraction } from '../../domain/values/random-fraction.ts';
import type { ReadCodeList } from '../code-lists/read-code-list.ts';
import type { AttemptRecord } from '../delivery/settlement.ts';
import { type Failure, failureBecause } from '../errors/failure-catalogue.ts';
import { type Authority, AuthorityCallError, type PreparedDocument, type Registration } from '../ports/authority.ts';
import type { Clock, Random } from '../ports/platform.ts';
import type { RecordedAttempt } from '../ports/storage/delivery-store.ts';
import type { OutboundVoid, VoidSettlement, VoidState } from '../ports/storage/outbound/void-store.ts';
import type { Storage } from '../ports/storage/storage.ts';

/** What happened to a void, for the log and the metrics. */
export type VoidEvent = {
  readonly tenant: Tenant;
  readonly docUid: string;
  readonly state: VoidState;
  readonly failureCode: string | null;
  readonly message: string | null;
};

export type VoidNeeds = {
  readonly storage: Storage;
  readonly authority: Pick<
    Authority,
    'prepareVoid' | 'requestTimestamp' | 'sinceRequestMs' | 'send' | 'findRegistered' | 'interpret'
  >;
  readonly readList: ReadCodeList;
  readonly clock: Clock;
  readonly random: Random;
  /** Longer than a request to the authority can take. */
  readonly leaseMs: number;
  readonly outcomeWindowMs: number;
  readonly report: (event: VoidEvent) => void;
};

type VoidAct = Extract<RecordedAttempt['act'], `void-${string}`>;
export type VoidAttempt = { readonly act: VoidAct; readonly startedAt: number; readonly ordinal: number | null };

type EndedAttempt = { readonly attempt: VoidAttempt; readonly record: AttemptRecord };

/** A void in the hands of one worker. Every write is one transaction that fails when the lease is lost. */
export type ClaimedVoid = {
  readonly tenant: Tenant;
  readonly void: OutboundVoid;
  /** Puts a send on record, before a byte leaves. Null when another worker has the void. */
  readonly beginSend: (document: PreparedDocument, requestTimestamp: string) => Promise<VoidAttempt | null>;
  readonly registered: (attempt: VoidAttempt, registration: Registration) => Promise<void>;
  /** The authority's final no; the document stays as it is. */
  readonly refused: (attempt: VoidAttempt, failure: Failure, record: AttemptRecord) => Promise<void>;
  /** The authority certainly does not have the void: tried again after a pause, or given up after the last one. */
  readonly failed: (failure: Failure, attempt: EndedAttempt | null) => Promise<void>;
  readonly unknown: (attempt: VoidAttempt, record: AttemptRecord, dueAt: number) => Promise<void>;
  /** It cannot be sent as it is. */
  readonly giveUp: (reason: Message) => Promise<void>;
  readonly postpone: (dueAt: number, failure?: Failure | null) => Promise<void>;
};

export function claimedVoid(needs: VoidNeeds, tenant: Tenant, claimed: OutboundVoid, token: string): ClaimedVoid {
  const { storage, clock } = needs;
  const { edb } = tenant;
  const { docUid } = claimed;

  async function settle(
    settlement: VoidSettlement,
    ended: EndedAttempt | null,
    also: (tx: Storage) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const isSettled = await storage.transaction(async (tx) => {
      if (!(await tx.voids.settle(edb, docUid, token, settlement))) return false;
      if (ended !== null) await endAttempt(tx, ended.attempt, ended.record);
      await also(tx);
      return true;
    });
    const { state, failureCode, failureMessage } = settlement;
    if (isSettled) needs.report({ tenant, docUid, state, failureCode, message: failureMessage });
  }

  async function endAttempt({ deliveries }: Storage, attempt: VoidAttempt, record: AttemptRecord): Promise<void> {
    const ordinal = attempt.ordinal ?? (await deliveries.beginAttempt(edb, docUid, attempt.act, attempt.startedAt));
    await deliveries.endAttempt(edb, docUid, ordinal, { ...record, endedAt: clock.now() });
  }

  const ended = (state: VoidState, failure: Failure | null): VoidSettlement => ({
    state,
    dueAt: null,
    failures: claimed.failures,
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
    endedAt: clock.now(),
  });

  return {
    tenant,
    void: claimed,
    async beginSend(document, requestTimestamp) {
      const sent = { ...document, requestTimestamp };
      const startedAt = clock.now();
      const lease = { token, until: startedAt + needs.leaseMs };
      return storage.transaction(async (tx) => {
        if (!(await tx.voids.beginSend(edb, docUid, lease, sent, startedAt))) return null;
        const ordinal = await tx.deliveries.beginAttempt(edb, docUid, 'void-send', startedAt);
        return { act: 'void-send', startedAt, ordinal } as const;
      });
    },
    async registered(attempt, registration) {
      const name = await statusName(needs, tenant);
      const { euid: voidEuid, answer } = registration;
      const record = { outcome: 'registered', failureCode: null, message: null, answer } as const;
      await settle({ ...ended('registered', null), voidEuid }, { attempt, record }, (tx) =>
        recordVoided(tx, claimed, registration, name, clock.now()),
      );
    },
    refused: (attempt, failure, record) => settle(ended('refused', failure), { attempt, record }),
    failed: (failure, attempt) => settle(failedSettlement(needs, claimed, failure), attempt),
    unknown: (attempt, record, dueAt) =>
      settle(
        { state: 'sent', dueAt, failures: claimed.failures, failureCode: record.failureCode, failureMessage: null },
        { attempt, record },
      ),
    giveUp: (reason) => settle(ended('failed', failureBecause('NOT-EXPRESSIBLE', reason)), null),
    async postpone(dueAt, failure = null) {
      const { state, failures } = claimed;
      const failureCode = failure?.code ?? claimed.failureCode;
      const failureMessage = failure?.message ?? claimed.failureMessage;
      await settle({ state, dueAt, failures, failureCode, failureMessage }, null);
    },
  };
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

/** The document shows at once that it is voided; the follow-up confirms it with the authority's own words. */
async function recordVoided(
  tx: Storage,
  { tenant, docUid, reason }: OutboundVoid,
  { registeredAt }: Registration,
  name: string | null,
  now: number,
): Promise<void> {
  const document = await tx.outbound.find(tenant, docUid);
  const euid = document?.ujp?.euid ?? null;
  if (euid === null) return;
  const at = registeredAt === null ? now : Date.parse(registeredAt);
  const words = [`${reason.code} ${reason.name}`, ...(reason.comment === null ? [] : [reason.comment])].join('; ');
  const change = { euid, status: { code: VOIDED_STATUS, name }, at, reason: words };
  await tx.deliveries.recordAuthorityStatus(tenant, change, now);
  await tx.recurringTasks.runNow(tenant, 'follow', now);
}

async function statusName({ readList }: VoidNeeds, tenant: Tenant): Promise<string | null> {
  try {
    return (await readList(tenant, 'document-statuses')).find(({ code }) => code === VOIDED_STATUS)?.name ?? null;
  } catch (error) {
    // The void is registered: a missing name must not turn it into a failure.
    if (error instanceof AuthorityCallError) return null;
    throw error;
  }
}
