import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { systemHasher, systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Foundation } from '../../src/app/foundation.ts';
import { deliverOutbound } from '../../src/application/delivery/deliver-outbound.ts';
import type { Authority } from '../../src/application/ports/authority.ts';
import type { DocumentReader } from '../../src/application/ports/document-reader.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { startDelivery } from '../../src/worker/delivery-loop.ts';

const LEASE_MS = 1_000;
const LOOK_EVERY_MS = 20;

type Parts = {
  readonly foundation: Foundation;
  readonly authority: Authority;
  readonly reader: Pick<DocumentReader, 'content'>;
  /** That of the foundation, or one with something in its way. */
  readonly storage?: Storage;
};

/** Works with the service's own parts until nothing is due. */
export async function deliverWhatIsDue({ foundation, authority, reader, storage = foundation.storage }: Parts) {
  const { clock } = foundation;
  const deliver = deliverOutbound({
    storage,
    authority,
    reader,
    hasher: systemHasher,
    clock,
    random: systemRandom,
    leaseMs: LEASE_MS,
    outcomeWindowMs: 1_000,
    report: () => undefined,
  });
  const failures: unknown[] = [];
  const worker = startDelivery({
    timers: systemTimers,
    storage,
    deliver,
    clock,
    newToken: randomUUID,
    settings: { leaseMs: LEASE_MS, pollMs: LOOK_EVERY_MS, maxInProgress: 8, maxPerUser: 4, stopMs: 60_000 },
    onFailure: (error) => failures.push(error),
  });
  while (failures.length === 0 && (await isAnythingDue(foundation.storage, clock.now()))) await pause(LOOK_EVERY_MS);
  await worker.stop();
  if (failures.length > 0) throw new AggregateError(failures, 'A worker failed.');
}

export async function isAnythingDue({ deliveries }: Storage, now: number): Promise<boolean> {
  const stages = ['delivery', 'container'] as const;
  const due = await Promise.all(stages.map((stage) => deliveries.tenantsDue(stage, '', now, 10)));
  return due.some(({ tenants }) => tenants.length > 0);
}
