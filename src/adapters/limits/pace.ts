import { setTimeout as pause } from 'node:timers/promises';
import type { Pace } from '../../application/ports/authority.ts';
import type { Clock } from '../../application/ports/platform.ts';
import type { Storage } from '../../application/ports/storage/storage.ts';

type Needs = {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly clock: Clock;
  /** Between two requests of one user; 0 for no limit. */
  readonly intervalMs: number;
};

/** Turns are taken in the database: every process that asks in a user's name waits in the same line. */
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
