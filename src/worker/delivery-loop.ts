import type { DeliverOutbound } from '../application/delivery/deliver-outbound.ts';
import type { Delivery } from '../application/delivery/delivery.ts';
import { createLeaseReturns } from '../application/delivery/leased-write.ts';
import { pauseAfter } from '../application/delivery/unforeseen-failure.ts';
import type { Clock, Timers } from '../application/ports/platform.ts';
import type { DeliveryStage, Lease } from '../application/ports/storage/delivery-store.ts';
import type { Storage } from '../application/ports/storage/storage.ts';
import type { Edb } from '../domain/accounts/edb.ts';
import { mostUnderWay } from '../domain/accounts/queue-state.ts';
import type { Tenant } from '../domain/accounts/tenant.ts';
import { OUTBOUND_STATUS } from '../domain/documents/outbound-status.ts';
import { fairShare, type ShareLimits, type Shares, totalOf } from './fair-share.ts';
import { renewLeases } from './lease-renewal.ts';
import { createTenantOrder } from './tenant-order.ts';
import { createWakeUp } from './wake-up.ts';
import type { Worker } from './worker.ts';

export type DeliveryLoopNeeds = {
  readonly storage: Storage;
  readonly deliver: DeliverOutbound;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly newToken: () => string;
  readonly settings: DeliveryLoopSettings;
  /** Whether anything may be claimed now; what is in progress goes on. */
  readonly mayClaim?: () => boolean;
  /** Whether anything is sent for anybody: not while delivery is held. */
  readonly maySend?: () => Promise<boolean>;
  /** Whether documents of the tenant may be claimed by this process; otherwise they are left to others. */
  readonly mayServe?: (tenant: Edb) => Promise<boolean>;
  readonly onFailure: (error: unknown, docUid: string | null) => void;
};

export type DeliveryLoopSettings = ShareLimits & {
  /** How long a document stays claimed when its worker does not renew the lease. */
  readonly leaseMs: number;
  /** Pause before looking again when no document was due. */
  readonly pollMs: number;
  /** How long `stop` waits for deliveries in progress. */
  readonly stopMs: number;
};

export type DeliveryLoop = Worker & {
  /** Documents that are sent or looked up. */
  readonly deliveries: () => number;
  /** Accepted documents whose container is fetched. */
  readonly containers: () => number;
};

/** Tenants read from the queue in one round. */
const TENANTS_PER_ROUND = 64;

/** Under load, new documents are claimed when a quarter of the places is free: a round costs the same for one place or many. */
const REFILL_FRACTION = 1 / 4;

/** After an outage very many containers may be due. Beside them documents are sent as before: they go first in the user's line. */
const CONTAINERS_PER_USER = 1;
const CONTAINER_FRACTION = 1 / 2;

/**
 * Claims and delivers due documents, fairly: tenants are served in turn, the least recently served first, and none has more
 * deliveries in progress than its user of the authority can use. So a thousand documents of one tenant do not delay the single
 * document of another.
 */
export function startDelivery(needs: DeliveryLoopNeeds): DeliveryLoop {
  const { storage, clock, timers, newToken, settings, onFailure } = needs;
  const { mayClaim = () => true, maySend = async () => true, mayServe = async () => true } = needs;
  const wakeUp = createWakeUp(timers);
  const { inProgress, deliverClaimed, giveBackAgain } = createDeliveries(needs, wakeUp.wake);
  const order = createTenantOrder();
  let isStopped = false;
  /** The last tenant read in the current pass over the queue; empty when the next pass starts from the beginning. */
  const lastRead: Record<DeliveryStage, string> = { delivery: '', container: '' };

  async function run(): Promise<void> {
    while (!isStopped) {
      const mayContinue = await claimDue().catch((error: unknown) => {
        onFailure(error, null);
        return false;
      });
      if (!mayContinue || isFull()) await wakeUp.wait(settings.pollMs);
      // The embedded database answers without a pause: a pass over thousands of tenants would hold up all calls until its end.
      else await timers.nextTurn();
    }
  }

  function isFull(): boolean {
    return inProgress.size > settings.maxInProgress - Math.max(1, settings.maxInProgress * REFILL_FRACTION);
  }

  /** What was accepted is completed first: clients wait for its container. Returns false when there is nothing to claim at all. */
  async function claimDue(): Promise<boolean> {
    await giveBackAgain();
    if (isFull() || !mayClaim() || !(await maySend())) return false;
    const claimed = (await claimRound('container')) + (await claimRound('delivery'));
    return claimed > 0 || lastRead.container !== '' || lastRead.delivery !== '';
  }

  /** Reads the next tenants with due documents and claims as many as fit beside the deliveries in progress. Returns their number. */
  async function claimRound(stage: DeliveryStage): Promise<number> {
    const now = clock.now();
    // A pass also looks at the tenants whose documents all wait for a later time, which are nearly all after an outage.
    if (lastRead[stage] === '' && !(await storage.deliveries.isAnyDue(stage, now))) return 0;
    const due = await storage.deliveries.tenantsDue(stage, lastRead[stage], now, TENANTS_PER_ROUND);
    lastRead[stage] = due.last ?? '';
    const { busy, limits } = placesFor(stage, [...inProgress], settings);
    const served = { find: async (edb: Edb) => ((await mayServe(edb)) ? storage.tenants.find(edb) : null) };
    const shares = await planShares(served, order.leastRecentFirst(due.tenants), busy, limits, now);
    order.served(shares.map(([{ edb }]) => edb));
    if (shares.length === 0) return 0;
    const lease = { token: newToken(), until: now + settings.leaseMs };
    const claimed = await storage.transaction((tx) => claim(tx, stage, shares, lease, now));
    for (const delivery of claimed) void deliverClaimed(delivery);
    return claimed.length;
  }

  const stopRenewal = renewLeases({
    storage,
    clock,
    timers,
    leaseMs: settings.leaseMs,
    inProgress: () => inProgress,
    onFailure: (error) => onFailure(error, null),
  });
  const running = run();
  const underWayIn = (stage: DeliveryStage) => ofStage(stage, inProgress).length;

  return {
    deliveries: () => underWayIn('delivery'),
    containers: () => underWayIn('container'),
    async stop() {
      isStopped = true;
      wakeUp.wake();
      await running;
      const deadline = timers.elapsedMs() + settings.stopMs;
      while (inProgress.size > 0 && timers.elapsedMs() < deadline) await wakeUp.wait(deadline - timers.elapsedMs());
      await giveBackAgain().catch((error: unknown) => onFailure(error, null));
      stopRenewal();
    },
  };
}

/** The deliveries in progress, and the leases of those that failed. */
function createDeliveries({ storage, deliver, clock, onFailure }: DeliveryLoopNeeds, onEnd: () => void) {
  /** After a pause of the process a document may be claimed again beside a delivery of it that has lost its lease. */
  const inProgress = new Set<Delivery>();
  const returns = createLeaseReturns();

  async function deliverClaimed(delivery: Delivery): Promise<void> {
    inProgress.add(delivery);
    try {
      await deliver(delivery);
    } catch (error) {
      onFailure(error, delivery.document.docUid);
      await giveBack(delivery, clock.now() + pauseAfter(error));
    } finally {
      inProgress.delete(delivery);
      onEnd();
    }
  }

  /** What failed is not repeated at once, over and over. Where the lease was given back already, the document stays as it is. */
  async function giveBack({ tenant, document, token }: Delivery, dueAt: number): Promise<void> {
    const { docUid } = document;
    await returns
      .giveBack(() => storage.transaction((tx) => tx.deliveries.release(tenant.edb, docUid, token, { dueAt })))
      .catch((error: unknown) => onFailure(error, docUid));
  }

  return { inProgress, deliverClaimed, giveBackAgain: returns.tryAgain };
}

function ofStage(stage: DeliveryStage, deliveries: Iterable<Delivery>): readonly Delivery[] {
  const isContainer = stage === 'container';
  return Array.from(deliveries).filter(
    ({ document }) => (document.status === OUTBOUND_STATUS.accepted) === isContainer,
  );
}

/** The tenants that have work of this stage in progress, and the limits beside the work of the other stage. */
function placesFor(
  stage: DeliveryStage,
  inProgress: readonly Delivery[],
  { maxInProgress, maxPerUser }: ShareLimits,
): { readonly busy: readonly Tenant[]; readonly limits: ShareLimits } {
  const busy = ofStage(stage, inProgress).map(({ tenant }) => tenant);
  const free = maxInProgress - (inProgress.length - busy.length);
  if (stage === 'delivery') return { busy, limits: { maxInProgress: free, maxPerUser } };
  const most = Math.max(1, Math.floor(maxInProgress * CONTAINER_FRACTION));
  return { busy, limits: { maxInProgress: Math.min(free, most), maxPerUser: CONTAINERS_PER_USER } };
}

/** Decides how many documents to claim for each tenant. Loads only as many tenants as are needed to fill the free places. */
async function planShares(
  tenants: Pick<Storage['tenants'], 'find'>,
  due: readonly Edb[],
  busy: readonly Tenant[],
  limits: ShareLimits,
  now: number,
): Promise<Shares> {
  const free = limits.maxInProgress - busy.length;
  const byTenant = Map.groupBy(busy, ({ edb }) => edb);
  const eligible = due.filter((edb) => (byTenant.get(edb)?.length ?? 0) < limits.maxPerUser);
  const loaded: Tenant[] = [];
  for (let next = 0; ; next += free) {
    const batch = await Promise.all(eligible.slice(next, next + free).map((edb) => tenants.find(edb)));
    loaded.push(...batch.filter((tenant) => tenant !== null));
    const shares = fairShare(loaded, busy, limits, now);
    if (next + free >= eligible.length || totalOf(shares) === free) return shares;
  }
}

async function claim(
  tx: Storage,
  stage: DeliveryStage,
  shares: Shares,
  lease: Lease,
  now: number,
): Promise<readonly Delivery[]> {
  const claimed: Delivery[] = [];
  // In one order in every process: each tenant is locked, and two that wait for each other's would never go on.
  for (const [tenant, count] of shares.toSorted(([one], [other]) => (one.edb < other.edb ? -1 : 1))) {
    const limit = stage === 'delivery' ? Math.min(count, await freePlaces(tx, tenant, now)) : count;
    if (limit <= 0) continue;
    const documents = await tx.deliveries.claim(tenant.edb, stage, lease, now, limit);
    claimed.push(...documents.map((document) => ({ tenant, document, token: lease.token, claimedAt: now })));
  }
  return claimed;
}

/**
 * Decided in the database, under the tenant's lock: what other processes have under way counts as well. None for a tenant that was
 * read before its environment was changed: what was submitted since then would go to the former one.
 */
async function freePlaces({ tenants, deliveries }: Storage, read: Tenant, now: number): Promise<number> {
  const [present, state, underWay] = await Promise.all([
    tenants.find(read.edb),
    tenants.queueState(read.edb),
    deliveries.underWay(read.edb, now),
  ]);
  return present?.environment === read.environment ? mostUnderWay(state, now) - underWay : 0;
}
