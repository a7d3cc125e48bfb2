/** A token bucket: holds one minute's calls, refills evenly, each call takes one token. */
export type TokenBucket = { readonly tokens: number; readonly filledAt: number };

export type Allowance = {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until another call is possible; at least 1 when refused, else 0. */
  readonly retryAfterSeconds: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
};

const MINUTE_MS = 60_000;

export function fullBucket(callsPerMinute: number, nowMs: number): TokenBucket {
  return { tokens: callsPerMinute, filledAt: nowMs };
}

export function takeToken(
  bucket: TokenBucket,
  callsPerMinute: number,
  nowMs: number,
): { readonly bucket: TokenBucket; readonly allowance: Allowance } {
  const msPerToken = MINUTE_MS / callsPerMinute;
  const elapsedMs = Math.max(0, nowMs - bucket.filledAt);
  const tokens = Math.min(callsPerMinute, bucket.tokens + elapsedMs / msPerToken);
  const allowed = tokens >= 1;
  const left = allowed ? tokens - 1 : tokens;
  return {
    bucket: { tokens: left, filledAt: Math.max(nowMs, bucket.filledAt) },
    allowance: {
      allowed,
      remaining: Math.floor(left),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(((1 - left) * msPerToken) / 1000)),
      resetSeconds: Math.ceil(((callsPerMinute - left) * msPerToken) / 1000),
    },
  };
}
