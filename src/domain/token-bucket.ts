/** A token bucket: holds one minute's calls, refills evenly, each call takes one token. */
export type TokenBucket = {
  /** In units of 1/60,000 of a token: with them every refill and every wait is a whole number, and no promise rounds away. */
  readonly level: number;
  readonly filledAt: number;
};

export type Allowance = {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until another call is possible; at least 1 when refused, else 0. */
  readonly retryAfterSeconds: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
};

const TOKEN = 60_000;

export function fullBucket(callsPerMinute: number, nowMs: number): TokenBucket {
  return { level: callsPerMinute * TOKEN, filledAt: nowMs };
}

export function takeToken(
  bucket: TokenBucket,
  callsPerMinute: number,
  nowMs: number,
): { readonly bucket: TokenBucket; readonly allowance: Allowance } {
  const elapsedMs = Math.max(0, nowMs - bucket.filledAt);
  const full = callsPerMinute * TOKEN;
  const level = Math.min(full, bucket.level + elapsedMs * callsPerMinute);
  const allowed = level >= TOKEN;
  const left = allowed ? level - TOKEN : level;
  const perSecond = callsPerMinute * 1000;
  return {
    bucket: { level: left, filledAt: nowMs },
    allowance: {
      allowed,
      remaining: Math.floor(left / TOKEN),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((TOKEN - left) / perSecond)),
      resetSeconds: Math.ceil((full - left) / perSecond),
    },
  };
}
