import { randomUUID } from 'node:crypto';
import { systemHasher, systemRandom } from '../../src/adapters/platform/platform.ts';
import { openAuthority } from '../../src/app/authority.ts';
import { openReader } from '../../src/app/document-reader.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { deliverOutbound } from '../../src/application/delivery/deliver-outbound.ts';
import type { Authority } from '../../src/application/ports/authority.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { readConfig } from '../../src/config.ts';
import { startDelivery } from '../../src/worker/delivery-loop.ts';

/**
 * A worker that dies at a step: `node killed-worker.ts <step> <nth time> <hours the clock is ahead>`. Without a step it works
 * until nothing is due and ends by itself. Its parts are the service's own; only the kill stands between them.
 */
const [step = '', nth = '1', hoursAhead = '0'] = process.argv.slice(2);
const LEASE_MS = 1_000;

let met = 0;
function reach(name: string): void {
  if (name !== step) return;
  met += 1;
  if (met === Number(nth)) process.kill(process.pid, 'SIGKILL');
}

const clock = { now: () => Date.now() + Number(hoursAhead) * 3_600_000 };
const foundation = await openFoundation(readConfig(), clock);
const reader = openReader();
const { authority } = openAuthority(foundation);
const storage = deadly(foundation.storage);
const dying: Authority = {
  ...authority,
  async send(...order) {
    reach('before-send');
    const registration = await authority.send(...order);
    reach('after-send');
    return registration;
  },
};
const deliver = deliverOutbound({
  storage,
  authority: dying,
  reader,
  hasher: systemHasher,
  clock,
  random: systemRandom,
  leaseMs: LEASE_MS,
  outcomeWindowMs: 1_000,
  report: () => undefined,
});
const worker = startDelivery({
  storage,
  deliver,
  clock,
  newToken: randomUUID,
  settings: { leaseMs: LEASE_MS, pollMs: 20, maxInProgress: 8, maxPerUser: 4, stopMs: 10_000 },
  onFailure(error) {
    throw error;
  },
});
while (await isAnythingDue()) {
  await new Promise((resolve) => setTimeout(resolve, 20));
}
await worker.stop();
await reader.close();
await foundation.engine.close();

async function isAnythingDue(): Promise<boolean> {
  for (const stage of ['delivery', 'final'] as const) {
    const { tenants } = await foundation.storage.deliveries.tenantsDue(stage, '', clock.now(), 10);
    if (tenants.length > 0) return true;
  }
  return false;
}

/** The storage, with a step before and after each transaction that claims, begins or settles an attempt. */
function deadly(real: Storage): Storage {
  return {
    ...real,
    async transaction(work) {
      const steps: string[] = [];
      const result = await real.transaction((tx) =>
        work({
          ...tx,
          deliveries: {
            ...tx.deliveries,
            async claim(...order) {
              reach('before-claim');
              const claimed = await tx.deliveries.claim(...order);
              if (claimed.length > 0) steps.push('after-claim');
              return claimed;
            },
          },
          outbound: {
            ...tx.outbound,
            async move(tenant, docUid, from, events, record) {
              const moved = await tx.outbound.move(tenant, docUid, from, events, record);
              if (events.includes('send')) steps.push('after-begin');
              if (!events.includes('accept')) return moved;
              reach('before-settle');
              steps.push('after-settle');
              return moved;
            },
          },
        }),
      );
      for (const name of steps) reach(name);
      return result;
    },
  };
}
