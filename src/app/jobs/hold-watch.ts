import type { Logger } from 'pino';
import { type HoldWatch, watchHold } from '../../application/recovery/hold-delivery.ts';
import { type DeliveryHold, RESTORED } from '../../domain/operations/delivery-hold.ts';
import type { Job } from '../../worker/worker.ts';
import type { Foundation } from '../foundation.ts';
import type { WorkNeeds } from './work-needs.ts';

const LOOK_EVERY_MS = 5_000;

const MOST_NAMED = 20;
const UNCOMPARED =
  'taxpayers were not compared when the others were, after the restore: nothing is sent for them until "dostava reconcile"';

/** Tells the log and the metrics when nothing is sent, and when documents are sent again. */
export function openHoldWatch(
  { storage, clock }: Pick<Foundation, 'storage' | 'clock'>,
  log: Logger,
  metrics: Pick<WorkNeeds['metrics'], 'deliveryHeld' | 'tenantsHeld'>,
): HoldWatch {
  return watchHold({
    storage,
    clock,
    onChange(hold) {
      metrics.deliveryHeld(hold !== null);
      if (hold === null) log.warn('delivery is not held any more; documents are sent');
      else log.warn({ reason: hold.reason, isRestored: hold.restored !== null }, heldMessage(hold));
    },
    onUncompared(tenants) {
      metrics.tenantsHeld(tenants.length);
      if (tenants.length === 0) log.warn('no taxpayer waits to be compared after the restore any more');
      else log.warn({ tenants: tenants.slice(0, MOST_NAMED), count: tenants.length }, UNCOMPARED);
    },
  });
}

/** Names what ends it: a comparison with the authority does not end the hold that an operator began. */
function heldMessage({ reason, restored }: DeliveryHold): string {
  const held = 'delivery is held: nothing is sent until';
  if (reason === RESTORED) return `${held} "dostava reconcile" or "dostava release"`;
  const released = `${held} "dostava release"`;
  return restored === null ? released : `${released}, and "dostava reconcile" after the restore`;
}

/** Also while nothing is due: whoever watches must learn of it. */
export function holdJob({ holdWatch }: Pick<WorkNeeds, 'holdWatch'>): Job {
  return {
    name: 'watch the hold',
    everyMs: LOOK_EVERY_MS,
    runsAtOnce: true,
    run: async () => void (await holdWatch.look()),
  };
}
