import type { AddressLimiter } from '../../application/ports/access.ts';
import type { Clock } from '../../application/ports/platform.ts';
import { fullBucket, type TokenBucket, takeToken } from '../../domain/accounts/token-bucket.ts';
import { createBoundedMap } from '../platform/bounded-map.ts';

/** However many addresses there are: the one that came longest ago begins anew. */
const MOST_NETWORKS = 10_000;

/** Token buckets of the networks that callers without a key come from, in the memory of this process. */
export function createAddressLimiter(clock: Clock, callsPerMinute: number): AddressLimiter {
  const buckets = createBoundedMap<string, TokenBucket>(MOST_NETWORKS);
  return {
    take(network) {
      const now = clock.now();
      const { bucket, allowance } = takeToken(
        buckets.get(network) ?? fullBucket(callsPerMinute, now),
        callsPerMinute,
        now,
      );
      buckets.set(network, bucket);
      return allowance;
    },
  };
}
