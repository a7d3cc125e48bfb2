import type { RateLimiter } from '../../application/ports/access.ts';
import type { Clock } from '../../application/ports/platform.ts';
import { fullBucket, peekAtBucket, type TokenBucket, takeToken } from '../../domain/accounts/token-bucket.ts';

/** Above this many keys, full buckets are evicted: a key without a bucket starts with a full one anyway. */
const EVICT_ABOVE = 10_000;
const FULL_AFTER_MS = 60_000;

/** Token buckets in the memory of this process. */
export function createRateLimiter(clock: Clock): RateLimiter {
  /** In the order of their last calls, so that a call looks at those alone that it evicts. */
  const buckets = new Map<string, TokenBucket>();

  function evictFull(now: number): void {
    for (const [keyId, bucket] of buckets) {
      if (buckets.size <= EVICT_ABOVE || now - bucket.filledAt <= FULL_AFTER_MS) return;
      buckets.delete(keyId);
    }
  }

  return {
    async take({ keyId, callsPerMinute }) {
      const now = clock.now();
      evictFull(now);
      const { bucket, allowance } = takeToken(
        buckets.get(keyId) ?? fullBucket(callsPerMinute, now),
        callsPerMinute,
        now,
      );
      buckets.delete(keyId);
      buckets.set(keyId, bucket);
      return allowance;
    },
    async peek({ keyId, callsPerMinute }) {
      const now = clock.now();
      return peekAtBucket(buckets.get(keyId) ?? fullBucket(callsPerMinute, now), callsPerMinute, now);
    },
  };
}
