import { setTimeout as pause } from 'node:timers/promises';
import { ServiceStopping } from '../../application/errors/service-stopping.ts';
import type { Pace } from '../../application/ports/authority.ts';
import type { Clock } from '../../application/ports/platform.ts';
import type { Storage } from '../../application/ports/storage/storage.ts';

type Needs = {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly clock: Clock;
  /** Minimum time between two requests of one user; 0 for no limit. */
  readonly intervalMs: number;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
};

/** Reserves time slots in the database, because the authority's limit per user applies to all processes together. */
export function createPace({ storage, clock, intervalMs, stopping }: Needs): Pace {
  return {
    async turn({ environment, eujpId }, { mustComplete = false } = {}) {
      const signal = mustComplete ? null : stopping;
      if (signal?.aborted === true) throw new ServiceStopping();
      if (intervalMs === 0 || eujpId === null) return;
      const turnAt = await storage.transaction((tx) => tx.pace.reserve(environment, eujpId, clock.now(), intervalMs));
      const waitMs = turnAt - clock.now();
      if (waitMs > 0) await wait(waitMs, signal);
    },
  };
}

async function wait(waitMs: number, signal: AbortSignal | null): Promise<void> {
  try {
    await pause(waitMs, undefined, signal === null ? {} : { signal });
  } catch (error) {
    throw signal?.aborted === true ? new ServiceStopping() : error;
  }
}
