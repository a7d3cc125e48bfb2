import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

const BATCH_SIZE = 1_000;

export type ExpireIdempotencyRecords = () => Promise<number>;

/** Deletes expired idempotency records, in small transactions that do not delay other writes. */
export function expireIdempotencyRecords({
  storage,
  clock,
}: {
  readonly storage: Storage;
  readonly clock: Clock;
}): ExpireIdempotencyRecords {
  return async () => {
    let deleted = 0;
    for (;;) {
      const count = await storage.transaction((tx) => tx.idempotency.deleteExpired(clock.now(), BATCH_SIZE));
      deleted += count;
      if (count < BATCH_SIZE) return deleted;
    }
  };
}
