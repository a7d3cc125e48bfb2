import { setTimeout as pause } from 'node:timers/promises';
import type { Pace } from '../../application/ports/authority.ts';
import type { Clock } from '../../application/ports/platform.ts';
import type { Storage } from '../../application/ports/storage/storage.ts';

type Needs = {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly clock: Clock;
  /** Minimum time between two requests of one user; 0 for no limit. */
  readonly intervalMs: number;
};

/** Reserves time slots in the database, because the authority's limit per user applies to all processes together. */
export function createPace({ storage, clock, intervalMs }: Needs): Pace {
  return {
    async turn({ environment, eujpId }) {
      if (intervalMs === 0 || eujpId === null) return;
      const turnAt = await storage.transaction((tx) => tx.pace.reserve(environment, eujpId, clock.now(), intervalMs));
      const waitMs = turnAt - clock.now();
      if (waitMs > 0) await pause(waitMs);
    },
  };
}
