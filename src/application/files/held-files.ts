import type { Edb } from '../../domain/accounts/edb.ts';
import { createFairShares } from '../../domain/operations/fair-shares.ts';
import { plainProblem } from '../errors/problem.ts';

/** Limits the memory of stored files that are looked into for callers: they wait for a thread, also when their callers have left. */
export type HeldFiles = {
  /** Throws a problem, 503, where there is no room for so many bytes. */
  readonly during: <Result>(tenant: Edb, bytes: number, work: () => Promise<Result>) => Promise<Result>;
};

/** Smaller files are looked into soon, and are not counted. */
const LARGE_BYTES = 65_536;
/** With what is made of them, and of each a copy for a thread. */
const MOST_BYTES = 64 * 1_048_576;
/** A file counts for so much of it at most, so that one tenant has room for two, whatever their size, and another for one. */
const LARGEST_PART = 1 / 4;

const RETRY_AFTER_SECONDS = 2;

export function createHeldFiles(): HeldFiles {
  const shares = createFairShares<Edb>(MOST_BYTES);
  return {
    async during(tenant, size, work) {
      if (size < LARGE_BYTES) return work();
      const bytes = Math.min(size, MOST_BYTES * LARGEST_PART);
      if (!shares.fits(tenant, bytes)) {
        const detail = 'Too many large files are being read at this moment.';
        throw plainProblem(503, 'Service Unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      shares.change(tenant, bytes);
      try {
        return await work();
      } finally {
        shares.change(tenant, -bytes);
      }
    },
  };
}
