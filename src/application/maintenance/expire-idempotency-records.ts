import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

const AT_A_TIME = 1_000;

export type ExpireIdempotencyRecords = () => Promise<number>;

/** Clears away idempotency keys whose hour is over, in small steps that hold nobody up. */
export function expireIdempotencyRecords({
  storage,
  clock,
}: {
  readonly storage: Storage;
  readonly clock: Clock;
}): ExpireIdempotencyRecords {
  return async () => {
    let forgotten = 0;
    for (;;) {
      const step = await storage.transaction((tx) => tx.idempotency.deleteExpired(clock.now(), AT_A_TIME));
      forgotten += step;
      if (step < AT_A_TIME) return forgotten;
    }
  };
}
