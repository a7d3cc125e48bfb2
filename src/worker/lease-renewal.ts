import type { Delivery } from '../application/delivery/delivery.ts';
import type { Clock } from '../application/ports/platform.ts';
import type { Storage } from '../application/ports/storage/storage.ts';

type Needs = {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly underWay: () => Iterable<Delivery>;
  readonly onFailure: (error: unknown) => void;
};

/** Gives a sign of life, three times in a lease, for all that is under way. Returns how to end it. */
export function renewLeases({ storage, clock, leaseMs, underWay, onFailure }: Needs): () => void {
  async function renew(deliveries: readonly Delivery[]): Promise<void> {
    const until = clock.now() + leaseMs;
    await storage.transaction(async (tx) => {
      for (const { tenant, document, token } of deliveries) {
        await tx.deliveries.renew(tenant.edb, document.docUid, { token, until });
      }
    });
  }

  const timer = setInterval(() => {
    const deliveries = [...underWay()];
    if (deliveries.length > 0) renew(deliveries).catch(onFailure);
  }, leaseMs / 3);
  timer.unref();
  return () => clearInterval(timer);
}
