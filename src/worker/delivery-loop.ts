import type { DeliverOutbound } from '../application/delivery/deliver-outbound.ts';
import type { Delivery } from '../application/delivery/delivery.ts';
import type { Clock } from '../application/ports/platform.ts';
import type { DeliveryStage, Lease } from '../application/ports/storage/delivery-store.ts';
import type { Storage } from '../application/ports/storage/storage.ts';
import type { Edb } from '../domain/accounts/edb.ts';
import type { Tenant } from '../domain/accounts/tenant.ts';
import { documentsIn, fairShare, type ShareLimits, type Shares } from './fair-share.ts';
import { renewLeases } from './lease-renewal.ts';
import { createTurns } from './turns.ts';
import { createWakeUp } from './wake-up.ts';
import type { Worker } from './worker.ts';

export type DeliveryLoopNeeds = {
  readonly storage: Storage;
  readonly deliver: DeliverOutbound;
  readonly clock: Clock;
  readonly newToken: () => string;
  readonly settings: DeliveryLoopSettings;
  readonly onFailure: (error: unknown, docUid: string | null) => void;
};

export type DeliveryLoopSettings = ShareLimits & {
  /** How long a document stays claimed without a sign of life of its worker. */
  readonly leaseMs: number;
  /** How often to look for something due when there was nothing. */
  readonly pollMs: number;
  /** How long a stop waits for what is under way. */
  readonly stopMs: number;
};

/** How many tenants are looked at in one round. */
const ROUND = 64;

/** In so many portions the places are filled when there is more to do than places. */
const REFILLS = 4;

/**
 * Delivers what is due, fairly: tenants take turns, whoever waited longest first, and none has more under way at once than a
 * user of the authority can make use of, so a thousand documents of one do not hold up the one document of another.
 */
export function startDelivery({ storage, deliver, clock, newToken, settings, onFailure }: DeliveryLoopNeeds): Worker {
  const underWay = new Map<string, Delivery>();
  const finished = createWakeUp();
  const turns = createTurns();
  let claimedInWalk = 0;
  let isStopped = false;
  /** The tenant that a walk has come to; nothing where the next walk begins. */
  const after: Record<DeliveryStage, string> = { delivery: '', final: '' };

  async function run(): Promise<void> {
    while (!isStopped) {
      const mayGoOn = await claimDue().catch((error: unknown) => {
        onFailure(error, null);
        return false;
      });
      if (!mayGoOn || isFull()) await finished.wait(settings.pollMs);
    }
  }

  /** Places are filled several at a time: a round costs the same whether it fills one or many. */
  function isFull(): boolean {
    return underWay.size > settings.mostAtOnce - Math.max(1, settings.mostAtOnce / REFILLS);
  }

  /**
   * Final forms are fetched when a whole walk over the tenants found nothing more that can be delivered at this moment. False
   * when there is nothing to claim at all.
   */
  async function claimDue(): Promise<boolean> {
    if (isFull()) return false;
    claimedInWalk += await round('delivery');
    if (after.delivery !== '') return true;
    const hasClaimed = claimedInWalk > 0;
    claimedInWalk = 0;
    return hasClaimed || (await round('final')) > 0 || after.final !== '';
  }

  /** Looks at the next tenants and claims what may be under way beside what is; how much it was. */
  async function round(stage: DeliveryStage): Promise<number> {
    const now = clock.now();
    const due = await storage.deliveries.tenantsDue(stage, after[stage], now, ROUND);
    after[stage] = due.last ?? '';
    const busy = [...underWay.values()].map(({ tenant }) => tenant);
    const shares = await shareOut(storage, turns.inOrder(due.tenants), busy, settings, now);
    turns.taken(shares.map(([{ edb }]) => edb));
    if (shares.length === 0) return 0;
    const lease = { token: newToken(), until: now + settings.leaseMs };
    const claimed = await storage.transaction((tx) => claim(tx, stage, shares, lease, now));
    for (const delivery of claimed) void work(delivery);
    return claimed.length;
  }

  async function work(delivery: Delivery): Promise<void> {
    const { docUid } = delivery.document;
    underWay.set(docUid, delivery);
    try {
      await deliver(delivery);
    } catch (error) {
      onFailure(error, docUid);
    } finally {
      underWay.delete(docUid);
      finished.raise();
    }
  }

  const endRenewal = renewLeases({
    storage,
    clock,
    leaseMs: settings.leaseMs,
    underWay: () => underWay.values(),
    onFailure: (error) => onFailure(error, null),
  });
  const running = run();

  return {
    async stop() {
      isStopped = true;
      finished.raise();
      await running;
      const deadline = performance.now() + settings.stopMs;
      while (underWay.size > 0 && performance.now() < deadline) await finished.wait(deadline - performance.now());
      endRenewal();
    },
  };
}

/** Who may have how many documents. Of those that wait, no more are looked up than it takes to fill the free places. */
async function shareOut(
  { tenants }: Storage,
  waiting: readonly Edb[],
  busy: readonly Tenant[],
  limits: ShareLimits,
  now: number,
): Promise<Shares> {
  const free = limits.mostAtOnce - busy.length;
  const underWay = Map.groupBy(busy, ({ edb }) => edb);
  const hungry = waiting.filter((edb) => (underWay.get(edb)?.length ?? 0) < limits.mostPerUser);
  const found: Tenant[] = [];
  for (let next = 0; ; next += free) {
    const portion = await Promise.all(hungry.slice(next, next + free).map((edb) => tenants.find(edb)));
    found.push(...portion.filter((tenant) => tenant !== null));
    const shares = fairShare(found, busy, limits, now);
    if (next + free >= hungry.length || documentsIn(shares) === free) return shares;
  }
}

async function claim(
  { deliveries }: Storage,
  stage: DeliveryStage,
  shares: Shares,
  lease: Lease,
  now: number,
): Promise<readonly Delivery[]> {
  const claimed: Delivery[] = [];
  for (const [tenant, count] of shares) {
    const documents = await deliveries.claim(tenant.edb, stage, lease, now, count);
    claimed.push(...documents.map((document) => ({ tenant, document, token: lease.token, claimedAt: now })));
  }
  return claimed;
}
