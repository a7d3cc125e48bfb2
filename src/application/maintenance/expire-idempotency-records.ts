import { confirmedTime } from '../clocks/confirmed-time.ts';
import type { ClockWatch } from '../clocks/watch-clock.ts';
import type { Clock } from '../ports/platform.ts';
import type { Storage } from '../ports/storage/storage.ts';

const BATCH_SIZE = 1_000;

/**
 * By how much the clock of a process that takes documents may be behind. What it writes is over for the clocks of others at once; it
 * must find it again for an hour by its own clock.
 */
const MOST_BEHIND_MS = 3_600_000;

type Needs = {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly clockWatch: Pick<ClockWatch, 'check'>;
  /** By how much clocks that are trusted may differ: so much longer records are there. They are not found any more. */
  readonly marginMs: number;
};

export type ExpireIdempotencyRecords = () => Promise<number>;

/**
 * Deletes expired idempotency records, in small transactions that do not delay other writes. None by a clock that no other has just
 * confirmed: an hour ahead it would delete them all, and repeated submissions would make second documents.
 */
export function expireIdempotencyRecords({ storage, clock, clockWatch, marginMs }: Needs): ExpireIdempotencyRecords {
  return async () => {
    const now = await confirmedTime(clock, clockWatch);
    if (now === null) return 0;
    let deleted = 0;
    for (;;) {
      const count = await storage.transaction((tx) =>
        tx.idempotency.deleteExpired(now - marginMs - MOST_BEHIND_MS, BATCH_SIZE),
      );
      deleted += count;
      if (count < BATCH_SIZE) return deleted;
    }
  };
}
