import type { Delivery, DeliveryNeeds } from './delivery.ts';
import { writeUnderLease } from './leased-write.ts';
import type { BegunAttempt, Settlement } from './settlement.ts';
import { settlementWrite } from './settlement-write.ts';

/** One try at the authority. Whatever comes of it goes through `settle`, once. */
export type Attempt = {
  readonly startedAt: number;
  /**
   * One transaction under the lease: the document's move or release, the end of the attempt, and what follows for the tenant
   * and the buyer. Reported once it is committed.
   */
  readonly settle: (settlement: Settlement) => Promise<void>;
};

export function createAttempt(needs: DeliveryNeeds, delivery: Delivery, begun: BegunAttempt): Attempt {
  const { storage, report } = needs;
  const { tenant, document } = delivery;
  return {
    startedAt: begun.startedAt,
    async settle(settlement) {
      const settled = await writeUnderLease(storage, delivery, (tx) =>
        settlementWrite({ needs, delivery, begun }, tx, settlement),
      );
      if (settled === null) return;
      const { outcome, failure, queue } = settled;
      const { code = null, message = null } = failure ?? {};
      const event = { outcome, tenant, docUid: document.docUid, failureCode: code, message };
      report(queue === null ? event : { ...event, queue });
    },
  };
}
