import type { RateLimiter, SharedBuckets } from '../../application/ports/access.ts';
import type { Clock } from '../../application/ports/platform.ts';
import type { LimitedKey } from '../../domain/accounts/api-key.ts';
import {
  type Allowance,
  allowanceOf,
  isFilledByWrongClock,
  levelAt,
  msUntilTokenOf,
  peekAtBucket,
  TOKEN,
  type TokenBucket,
} from '../../domain/accounts/token-bucket.ts';

type Needs = {
  readonly buckets: SharedBuckets;
  readonly clock: Clock;
  /** Used while the database fails: a call that could be answered must not fail because its tokens cannot be counted. */
  readonly fallback: RateLimiter;
  readonly onFailure: (error: unknown) => void;
};

/** Unused tokens of a key that this process has drawn, and the shared bucket as it was after the last draw. */
type LocalTokens = {
  tokens: number;
  drawnAt: number;
  bucket: TokenBucket | null;
  /** Calls that wait for the draw that is under way. */
  waiting: number;
  drawing: Promise<void> | null;
};

/** A process draws the tokens of one second at a time and may use them for one second; the next draw returns what is left. */
const DRAWS_PER_MINUTE = 60;
const TOKEN_LIFETIME_MS = 1_000;
/** No bucket takes longer to have a token again; one that a clock ahead of ours has filled only seems to. */
const MAX_WAIT_MS = 60_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** Above this many keys, those without usable tokens and waiting calls are evicted. */
const EVICT_ABOVE = 10_000;

/** Token buckets that all processes share. A call goes to the database only when its process has no drawn token left. */
export function createSharedRateLimiter({ buckets, clock, fallback, onFailure }: Needs): RateLimiter {
  const tokensByKey = new Map<string, LocalTokens>();
  let failedAt = Number.NEGATIVE_INFINITY;

  function localTokensOf(keyId: string, now: number): LocalTokens {
    const existing = tokensByKey.get(keyId);
    if (existing !== undefined) return existing;
    if (tokensByKey.size > EVICT_ABOVE) {
      for (const [key, local] of tokensByKey)
        if (local.waiting === 0 && !isWithin(local.drawnAt, TOKEN_LIFETIME_MS, now)) tokensByKey.delete(key);
    }
    const local = { tokens: 0, drawnAt: Number.NEGATIVE_INFINITY, bucket: null, waiting: 0, drawing: null };
    tokensByKey.set(keyId, local);
    return local;
  }

  async function draw(key: LimitedKey, local: LocalTokens): Promise<void> {
    // Calls of the same turn of the event loop share one draw.
    await Promise.resolve();
    // Without a waiting call one only looks at what is left.
    const wanted = local.waiting === 0 ? 0 : Math.max(local.waiting, tokensPerDraw(key.callsPerMinute));
    const request = { wanted, returned: local.tokens };
    local.tokens = 0;
    try {
      const { bucket, drawn } = await buckets.draw(key, clock.now(), request);
      // Counted from the answer, not from the request: tokens from a slow database must not have expired before they can be used.
      Object.assign(local, { bucket, tokens: drawn, drawnAt: clock.now() });
    } catch (error) {
      failedAt = clock.now();
      onFailure(error);
    } finally {
      local.drawing = null;
    }
  }

  async function peek(key: LimitedKey): Promise<Allowance> {
    const local = localTokensOf(key.keyId, clock.now());
    if (!isWithin(local.drawnAt, TOKEN_LIFETIME_MS, clock.now())) {
      if (isWithin(failedAt, PAUSE_AFTER_FAILURE_MS, clock.now())) return fallback.peek(key);
      local.drawing ??= draw(key, local);
      await local.drawing;
    }
    const { bucket, tokens } = local;
    return bucket === null ? fallback.peek(key) : allowanceLeft(bucket, tokens, key.callsPerMinute, clock.now());
  }

  return {
    peek,
    async take(key) {
      const { keyId, callsPerMinute } = key;
      const local = localTokensOf(keyId, clock.now());
      for (;;) {
        const allowance = allowanceWithoutDraw(local, callsPerMinute, clock.now());
        if (allowance !== null) return allowance;
        if (isWithin(failedAt, PAUSE_AFTER_FAILURE_MS, clock.now())) return fallback.take(key);
        local.waiting += 1;
        local.drawing ??= draw(key, local);
        await local.drawing.finally(() => {
          local.waiting -= 1;
        });
      }
    },
  };
}

function tokensPerDraw(callsPerMinute: number): number {
  return Math.max(1, Math.floor(callsPerMinute / DRAWS_PER_MINUTE));
}

/** What this process knows to be left in the shared bucket, its own unused tokens included. */
function allowanceLeft(bucket: TokenBucket, tokens: number, callsPerMinute: number, now: number): Allowance {
  const level = levelAt(bucket, callsPerMinute, now) + tokens * TOKEN;
  return peekAtBucket({ level, filledAt: now }, callsPerMinute, now);
}

/** The answer where it needs no draw: a drawn token is left, or the shared bucket is known to be empty until its next refill. */
function allowanceWithoutDraw(local: LocalTokens, callsPerMinute: number, now: number): Allowance | null {
  const { bucket } = local;
  if (bucket === null) return null;
  const level = levelAt(bucket, callsPerMinute, now);
  if (local.tokens > 0) {
    if (!isWithin(local.drawnAt, TOKEN_LIFETIME_MS, now)) return null;
    local.tokens -= 1;
    const left = Math.min(level + local.tokens * TOKEN, (callsPerMinute - 1) * TOKEN);
    return allowanceOf(left, callsPerMinute, 0);
  }
  const waitMs = msUntilTokenOf(bucket, callsPerMinute, now);
  if (waitMs <= 0 || isFilledByWrongClock(bucket, now)) return null;
  return allowanceOf(level, callsPerMinute, Math.min(waitMs, MAX_WAIT_MS));
}

/** False for a time in the future, which means that the clock was set back. */
function isWithin(since: number, ms: number, now: number): boolean {
  return since <= now && now < since + ms;
}
