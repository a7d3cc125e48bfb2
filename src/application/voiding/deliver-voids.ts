import type { Edb } from '../../domain/accounts/edb.ts';
import { mayTryDuring } from '../../domain/accounts/queue-state.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import { lookUpPauseMs } from '../../domain/documents/retry-schedule.ts';
import { message } from '../../domain/messages/message.ts';
import { failureOf, STORED_DAMAGE } from '../delivery/delivery-failure.ts';
import { createLeaseReturns } from '../delivery/leased-write.ts';
import { type Absences, createAbsences } from '../delivery/lost-answers/absences.ts';
import { isUnforeseen, pauseAfter } from '../delivery/unforeseen-failure.ts';
import { StoredDamage } from '../errors/damage.ts';
import { failureBecause } from '../errors/failure-catalogue.ts';
import { KeyUnopened } from '../errors/key-unopened.ts';
import { AuthorityCallError } from '../ports/authority.ts';
import type { Lease } from '../ports/storage/delivery-store.ts';
import type { OutboundVoid } from '../ports/storage/outbound/void-store.ts';
import { NO_TRACES, type SpanFacts } from '../ports/telemetry/tracer.ts';
import { type ClaimedVoid, claimedVoid } from './claimed-void.ts';
import { resolveVoid } from './resolve-void.ts';
import { sendVoid } from './send-void.ts';
import type { VoidEvent, VoidNeeds } from './void-delivery.ts';
import { createVoidTurns } from './void-turns.ts';

type Needs = VoidNeeds & {
  readonly newToken: () => string;
  /** Tenants whose voids are left to other processes. */
  readonly exceptOf?: () => readonly Edb[];
  readonly onFailure: (error: unknown, docUid: string) => void;
};

/** Nothing says that it will pass: a void that comes to no end is given up like one that cannot be sent. */
const SERVICE_FAILED = failureBecause('SERVICE-ERROR', message('service-failed-on-void'));

/** Voids are rare; so many at once are no burden. */
const MOST_AT_ONCE = 8;

export type VoidDelivery = {
  /** Gives back leases and renews those of voids under way, claims voids that are due and begins with them, in the places that are free. */
  readonly startDue: () => Promise<void>;
  /** How many have begun and not ended. */
  readonly count: () => number;
  /** Resolves when all that were begun have ended, and their leases are given back. */
  readonly finish: () => Promise<void>;
};

/** A void under way, and whose line it waits in. */
type UnderWay = { readonly claimed: OutboundVoid; readonly user: string; lease: Lease; readonly ended: Promise<void> };

/** Sends voids that are due, and resolves lost answers. If the process dies, the lease ends and another one goes on. */
export function deliverVoids(needs: Needs): VoidDelivery {
  const { storage, clock, leaseMs, newToken, exceptOf = () => [], tracer = NO_TRACES, onFailure } = needs;

  const absences = createAbsences(needs);
  const nextTurns = createVoidTurns();
  const underWay = new Set<UnderWay>();
  const returns = createLeaseReturns();

  async function deliver(claimed: OutboundVoid, token: string): Promise<void> {
    const begun = { 'dostava.doc_uid': claimed.docUid };
    const span = tracer.begin({ name: 'void', kind: 'work', facts: begun, cause: null });
    let facts: SpanFacts = {};
    let isFailure = false;
    function report(event: VoidEvent): void {
      const { state, failureCode } = event;
      facts = { 'dostava.outcome': state, ...(failureCode === null ? {} : { 'dostava.failure_code': failureCode }) };
      needs.report(event);
    }
    const traced = { ...needs, report };
    try {
      const tenant = await storage.tenants.find(claimed.tenant);
      if (tenant !== null) await span.within(() => step(traced, absences, claimedVoid(traced, tenant, claimed, token)));
    } catch (error) {
      isFailure = true;
      onFailure(error, claimed.docUid);
      await giveBack(claimed, token, clock.now() + pauseAfter(error));
    } finally {
      span.end(facts, isFailure);
    }
  }

  /** What is on record is continued, also a send. */
  async function giveBack({ tenant, docUid }: OutboundVoid, token: string, dueAt: number): Promise<void> {
    await returns
      .giveBack(() => storage.transaction((tx) => tx.voids.release(tenant, docUid, token, dueAt)))
      .catch((error: unknown) => onFailure(error, docUid));
  }

  function start(claimed: OutboundVoid, user: string, lease: Lease): void {
    const ended = deliver(claimed, lease.token).finally(() => underWay.delete(begun));
    const begun: UnderWay = { claimed, user, lease, ended };
    underWay.add(begun);
  }

  /** In a long line a void waits for minutes with each of its requests: another process would begin with it as well, and neither could end it. */
  async function renewLeases(now: number): Promise<void> {
    const ending = Array.from(underWay).filter(({ lease }) => lease.until - now <= leaseMs / 2);
    for (const begun of ending) {
      const { tenant, docUid } = begun.claimed;
      const lease = { ...begun.lease, until: now + leaseMs };
      await storage.transaction((tx) => tx.voids.renew(tenant, docUid, lease));
      begun.lease = lease;
    }
  }

  return {
    async startDue() {
      const now = clock.now();
      await returns.tryAgain();
      await renewLeases(now);
      const free = MOST_AT_ONCE - underWay.size;
      if (free <= 0) return;
      const except = new Set(exceptOf());
      // The line of a user may be long: who waits in it keeps back nobody else.
      const busy = new Set(Array.from(underWay, ({ user }) => user));
      // Most of the time there is none, and a look costs less than a transaction that writes.
      const due = (await storage.voids.tenantsDue(now)).filter(
        ({ tenant, user }) => !except.has(tenant) && !busy.has(user),
      );
      if (due.length === 0) return;
      const shares = nextTurns(due, free);
      const lease = { token: newToken(), until: now + leaseMs };
      const claimed = await storage.transaction((tx) =>
        Promise.all(shares.map(({ tenant, count }) => tx.voids.claim(tenant, lease, now, count))),
      );
      for (const [index, { user }] of shares.entries()) for (const one of claimed[index] ?? []) start(one, user, lease);
    },
    count: () => underWay.size,
    async finish() {
      await Promise.all(Array.from(underWay, ({ ended }) => ended));
      await returns.tryAgain();
    },
  };
}

async function step(needs: VoidNeeds, absences: Absences, claimed: ClaimedVoid): Promise<void> {
  if (isStopped(claimed.tenant, needs.clock.now())) return claimed.waitForEndOfStop();
  try {
    if (claimed.void.state === 'sent') await resolveVoid(needs, absences, claimed);
    else await sendVoid(needs, claimed);
  } catch (error) {
    if (error instanceof StoredDamage) await claimed.giveUp(STORED_DAMAGE);
    if (!(error instanceof AuthorityCallError)) {
      if (isUnforeseen(error) && !claimed.mayBeSent()) await claimed.failed(SERVICE_FAILED, null);
      throw error;
    }
    // Nothing was sent by what failed here: a list, the original, a look-up.
    const failure = failureOf(needs.authority, error);
    if (claimed.void.state !== 'sent') return claimed.failed(failure, null, error.cause instanceof KeyUnopened);
    const now = needs.clock.now();
    await claimed.postpone(now + lookUpPauseMs(now - (claimed.void.sent?.sentAt ?? now)), failure);
  }
}

function isStopped({ stopped }: Tenant, now: number): boolean {
  return stopped !== null && !mayTryDuring(stopped, now);
}
