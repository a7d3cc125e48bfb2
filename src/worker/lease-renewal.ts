import type { Delivery } from '../application/delivery/delivery.ts';
import type { Clock, Timers } from '../application/ports/platform.ts';
import type { Storage } from '../application/ports/storage/storage.ts';

type Needs = {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly leaseMs: number;
  readonly inProgress: () => Iterable<Delivery>;
  readonly onFailure: (error: unknown) => void;
};

/**
 * Renews the leases of all deliveries in progress, three times per lease, so that a single failed renewal loses no lease. Returns a
 * function that stops it.
 */
export function renewLeases({ storage, clock, timers, leaseMs, inProgress, onFailure }: Needs): () => void {
  async function renew(deliveries: readonly Delivery[]): Promise<void> {
    const until = clock.now() + leaseMs;
    await storage.transaction(async (tx) => {
      for (const { tenant, document, token } of deliveries) {
        await tx.deliveries.renew(tenant.edb, document.docUid, { token, until });
      }
    });
  }

  function renewAll(): void {
    const deliveries = [...inProgress()];
    if (deliveries.length > 0) renew(deliveries).catch(onFailure);
  }

  return timers.every(leaseMs / 3, renewAll, { keepsProcess: false }).cancel;
}
