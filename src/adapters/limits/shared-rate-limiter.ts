import type { RateLimiter, SharedBuckets } from '../../application/ports/access.ts';
import type { Clock } from '../../application/ports/platform.ts';
import type { LimitedKey } from '../../domain/accounts/api-key.ts';
import {
  type Allowance,
  allowanceOf,
  levelAt,
  nextTokenAt,
  TOKEN,
  type TokenBucket,
} from '../../domain/accounts/token-bucket.ts';

type Needs = {
  readonly buckets: SharedBuckets;
  readonly clock: Clock;
  /** Serves while the shared buckets cannot be reached: they must not fail a call that could be answered. */
  readonly alone: RateLimiter;
  readonly onFailure: (error: unknown) => void;
};

/** What this process has drawn for a key and not used yet, and what the bucket held after that. */
type Purse = {
  tokens: number;
  drawnAt: number;
  bucket: TokenBucket | null;
  /** How many calls wait for the draw that is under way. */
  waiting: number;
  drawing: Promise<void> | null;
};

/** A process draws one second's calls at a time, and has to use them in that second. */
const PORTIONS_A_MINUTE = 60;
const KEPT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** Above this many keys, those that are not in use are forgotten. */
const SWEEP_ABOVE = 10_000;

/** Token buckets that all processes share. A call asks the database only when its process has no token at hand. */
export function createSharedRateLimiter({ buckets, clock, alone, onFailure }: Needs): RateLimiter {
  const purses = new Map<string, Purse>();
  let failedAt = Number.NEGATIVE_INFINITY;

  function purseOf(keyId: string, now: number): Purse {
    const known = purses.get(keyId);
    if (known !== undefined) return known;
    if (purses.size > SWEEP_ABOVE) {
      for (const [key, purse] of purses)
        if (purse.waiting === 0 && !isWithin(purse.drawnAt, KEPT_MS, now)) purses.delete(key);
    }
    const purse = { tokens: 0, drawnAt: Number.NEGATIVE_INFINITY, bucket: null, waiting: 0, drawing: null };
    purses.set(keyId, purse);
    return purse;
  }

  async function draw(key: LimitedKey, purse: Purse): Promise<void> {
    // Whoever calls in this turn of the event loop draws together.
    await Promise.resolve();
    const order = { wanted: Math.max(purse.waiting, portionOf(key.callsPerMinute)), returned: purse.tokens };
    purse.tokens = 0;
    try {
      const { bucket, drawn } = await buckets.draw(key, clock.now(), order);
      // From here on, not from when it was asked for: what a slow database gives must not be stale before it can be used.
      Object.assign(purse, { bucket, tokens: drawn, drawnAt: clock.now() });
    } catch (error) {
      failedAt = clock.now();
      onFailure(error);
    } finally {
      purse.drawing = null;
    }
  }

  return {
    async take(key) {
      const { keyId, callsPerMinute } = key;
      const purse = purseOf(keyId, clock.now());
      for (;;) {
        const allowance = fromPurse(purse, callsPerMinute, clock.now());
        if (allowance !== null) return allowance;
        if (isWithin(failedAt, PAUSE_AFTER_FAILURE_MS, clock.now())) return alone.take(key);
        purse.waiting += 1;
        purse.drawing ??= draw(key, purse);
        await purse.drawing.finally(() => {
          purse.waiting -= 1;
        });
      }
    },
  };
}

function portionOf(callsPerMinute: number): number {
  return Math.max(1, Math.floor(callsPerMinute / PORTIONS_A_MINUTE));
}

/** What can be said without asking: a token is at hand, or there is none anywhere until the refill has made one. */
function fromPurse(purse: Purse, callsPerMinute: number, now: number): Allowance | null {
  const { bucket } = purse;
  if (bucket === null) return null;
  const level = levelAt(bucket, callsPerMinute, now);
  if (purse.tokens > 0) {
    if (!isWithin(purse.drawnAt, KEPT_MS, now)) return null;
    purse.tokens -= 1;
    const left = Math.min(level + purse.tokens * TOKEN, (callsPerMinute - 1) * TOKEN);
    return allowanceOf(true, left, callsPerMinute);
  }
  const waitMs = nextTokenAt(bucket, callsPerMinute) - now;
  if (waitMs <= 0 || waitMs > LONGEST_WAIT_MS) return null;
  return { ...allowanceOf(false, level, callsPerMinute), retryAfterSeconds: Math.ceil(waitMs / 1_000) };
}

/** Not when it lies in the future: then the clock was put back. */
function isWithin(since: number, ms: number, now: number): boolean {
  return since <= now && now < since + ms;
}
