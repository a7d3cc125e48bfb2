import type { ClaimedErrand, ErrandName } from '../application/delivery-ports.ts';
import type { Clock, Storage } from '../application/ports.ts';
import type { Tenant } from '../domain/tenant.ts';
import type { Job } from './worker.ts';

/** What is done for a tenant, with the note it left the last time; returns the next note. */
export type Errand = {
  readonly everyMs: number;
  readonly run: (tenant: Tenant, note: string | null) => Promise<string | null>;
};

type Needs = {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly newToken: () => string;
  readonly errands: Readonly<Record<ErrandName, Errand>>;
  readonly leaseMs: number;
  readonly onFailure: (errand: ClaimedErrand, error: unknown) => void;
};

const AT_ONCE = 16;
const LOOK_EVERY_MS = 250;
/** After failures an errand comes round ever more seldom, up to so many times its usual pause. */
const LONGEST_PAUSE_FACTOR = 16;

/** Runs the errands that are due, those that waited longest first. Each at the same time for as many tenants as allowed. */
export function errandJob({ storage, clock, newToken, errands, leaseMs, onFailure }: Needs): Job {
  const running = new Set<Promise<void>>();
  return {
    name: 'errands',
    everyMs: LOOK_EVERY_MS,
    async run() {
      const free = AT_ONCE - running.size;
      if (free <= 0) return;
      const lease = { token: newToken(), until: clock.now() + leaseMs };
      const due = await storage.transaction((tx) => tx.errands.claim(lease, clock.now(), free));
      for (const errand of due) {
        const work: Promise<void> = runErrand(errand, lease.token).finally(() => running.delete(work));
        running.add(work);
      }
    },
    drain: async () => void (await Promise.all(running)),
  };

  async function runErrand(claimed: ClaimedErrand, token: string): Promise<void> {
    const { everyMs, run } = errands[claimed.name];
    const tenant = await storage.tenants.find(claimed.tenant);
    const settle = (note: string | null, failures: number, failure: string | null) => {
      const pause = everyMs * Math.min(2 ** failures, LONGEST_PAUSE_FACTOR);
      const next = { dueAt: clock.now() + pause, note, failures, failure };
      return storage.transaction((tx) => tx.errands.settle(claimed, token, next));
    };
    try {
      if (tenant !== null) await settle(await run(tenant, claimed.note), 0, null);
    } catch (error) {
      onFailure(claimed, error);
      const failure = error instanceof Error ? error.message : String(error);
      await settle(claimed.note, claimed.failures + 1, failure).catch((cause: unknown) => onFailure(claimed, cause));
    }
  }
}
