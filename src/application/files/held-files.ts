import type { Edb } from '../../domain/accounts/edb.ts';
import { createFairShares } from '../../domain/values/fair-shares.ts';
import { ServiceUnavailable } from '../errors/service-unavailable.ts';

/** Limits the memory of stored files that are looked into for callers: they wait for a thread, also when their callers have left. */
export type HeldFiles = {
  /** Throws ServiceUnavailable where there is no room for so many bytes. */
  readonly during: <Result>(tenant: Edb, bytes: number, work: () => Promise<Result>) => Promise<Result>;
};

/** Smaller files are looked into soon, and are not counted. */
const LARGE_BYTES = 65_536;
/** Three of the largest documents of one tenant; a thread gets a copy of each. */
const MOST_BYTES = 64 * 1_048_576;

export function createHeldFiles(mostBytes = MOST_BYTES): HeldFiles {
  const shares = createFairShares<Edb>(mostBytes);
  return {
    async during(tenant, bytes, work) {
      if (bytes < LARGE_BYTES) return work();
      // Files that the operator imports have no greatest size.
      if (!shares.fits(tenant, bytes) && shares.used() > 0) {
        throw new ServiceUnavailable('Too many large files are being read at this moment.');
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
