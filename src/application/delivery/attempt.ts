import type { Delivery, DeliveryNeeds } from './delivery.ts';
import { LeaseLost, writeUnderLease } from './leased-write.ts';
import { settleLateRegistration } from './settlement/late-registration.ts';
import type { Settled } from './settlement/settlement-context.ts';
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
      const context = { needs, delivery, begun };
      try {
        tell(await writeUnderLease(storage, delivery, (tx) => settlementWrite(context, tx, settlement)));
      } catch (error) {
        if (settlement.result !== 'registered') throw error;
        if (!(error instanceof LeaseLost)) {
          tellOf(
            'unknown',
            `The authority has registered the document as ${settlement.registration.euid}; it is not on record yet.`,
          );
          throw error;
        }
        const late = await settleLateRegistration(context, settlement.registration);
        if (late !== null && 'stray' in late) tellOf('stray-registration', late.stray);
        else tell(late);
      }
    },
  };

  function tell(settled: Settled | null): void {
    if (settled === null) return;
    const { outcome, failure, queue, mistaken = null } = settled;
    if (mistaken !== null) report({ ...mistaken, outcome: 'stray-registration', tenant, failureCode: null });
    const { code = null, message = null } = failure ?? {};
    const event = { outcome, tenant, docUid: document.docUid, failureCode: code, message };
    report(queue === null ? event : { ...event, queue });
  }

  /** The EUID is told in any case: where it cannot be put on record, the log is the only place that has it. */
  function tellOf(outcome: 'unknown' | 'stray-registration', message: string): void {
    report({ outcome, tenant, docUid: document.docUid, failureCode: null, message });
  }
}
