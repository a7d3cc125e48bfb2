import type { DeliverOutbound } from '../application/deliver-outbound.ts';
import type { ClaimedDocument } from '../application/delivery-ports.ts';
import type { Clock, Storage } from '../application/ports.ts';
import type { Tenant } from '../domain/tenant.ts';
import { fairShare, type ShareLimits } from './fair-share.ts';
import { createSignal } from './signal.ts';
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

type UnderWay = { readonly tenant: Tenant; readonly document: ClaimedDocument; readonly token: string };

/** How many tenants are looked at in one round. */
const ROUND = 64;

/**
 * Delivers what is due, fairly: tenants take turns in the order of their numbers, and none has more under way at once than a
 * user of the authority can make use of, so a thousand documents of one do not hold up the one document of another.
 */
export function startDelivery({ storage, deliver, clock, newToken, settings, onFailure }: DeliveryLoopNeeds): Worker {
  const underWay = new Map<string, UnderWay>();
  const finished = createSignal();
  let isStopped = false;
  let after = '';

  async function run(): Promise<void> {
    while (!isStopped) {
      const claimed = await round().catch((error: unknown) => {
        onFailure(error, null);
        return 0;
      });
      if (claimed === 0 || underWay.size >= settings.mostAtOnce) await finished.wait(settings.pollMs);
    }
  }

  async function round(): Promise<number> {
    if (underWay.size >= settings.mostAtOnce) return 0;
    const now = clock.now();
    const due = await storage.deliveries.tenantsDue(after, now, ROUND);
    after = due.last ?? '';
    const tenants = await Promise.all(due.tenants.map((edb) => storage.tenants.find(edb)));
    const busy = [...underWay.values()].map(({ tenant }) => tenant);
    const shares = fairShare(
      tenants.filter((tenant) => tenant !== null),
      busy,
      settings,
      now,
    );
    const claimed = await Promise.all(shares.map(([tenant, count]) => claim(tenant, count, now)));
    return claimed.reduce((sum, count) => sum + count, 0) + (due.last === null ? 0 : 1);
  }

  async function claim(tenant: Tenant, count: number, now: number): Promise<number> {
    const lease = { token: newToken(), until: now + settings.leaseMs };
    const documents = await storage.transaction((tx) => tx.deliveries.claim(tenant.edb, lease, now, count));
    for (const document of documents) void work({ tenant, document, token: lease.token });
    return documents.length;
  }

  async function work(delivery: UnderWay): Promise<void> {
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

  async function renew(): Promise<void> {
    const until = clock.now() + settings.leaseMs;
    await storage.transaction(async (tx) => {
      for (const { tenant, document, token } of underWay.values()) {
        await tx.deliveries.renew(tenant.edb, document.docUid, { token, until });
      }
    });
  }

  const renewal = setInterval(() => {
    if (underWay.size > 0) renew().catch((error: unknown) => onFailure(error, null));
  }, settings.leaseMs / 3);
  renewal.unref();
  const running = run();

  return {
    async stop() {
      isStopped = true;
      finished.raise();
      await running;
      const deadline = performance.now() + settings.stopMs;
      while (underWay.size > 0 && performance.now() < deadline) await finished.wait(deadline - performance.now());
      clearInterval(renewal);
    },
  };
}
