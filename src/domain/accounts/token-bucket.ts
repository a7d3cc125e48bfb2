import { retryAfterSeconds } from '../values/retry-after.ts';

/** A token bucket: holds one minute's calls, refills evenly, each call takes one token. */
export type TokenBucket = {
  /** In units of 1/60,000 of a token, so that every refill and every wait is a whole number and nothing is lost by rounding. */
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

export const TOKEN = 60_000;
/** An unused bucket of any size is full after a minute. */
const FULL_AFTER_MS = 60_000;

export function fullBucket(callsPerMinute: number, nowMs: number): TokenBucket {
  return { level: callsPerMinute * TOKEN, filledAt: nowMs };
}

export function takeToken(
  bucket: TokenBucket,
  callsPerMinute: number,
  nowMs: number,
): { readonly bucket: TokenBucket; readonly allowance: Allowance } {
  const level = levelAt(bucket, callsPerMinute, nowMs);
  const waitMs = msUntilToken(level, callsPerMinute);
  const left = waitMs === 0 ? level - TOKEN : level;
  return { bucket: { level: left, filledAt: nowMs }, allowance: allowanceOf(left, callsPerMinute, waitMs) };
}

/** What the bucket would allow, without taking a token. */
export function peekAtBucket(bucket: TokenBucket, callsPerMinute: number, nowMs: number): Allowance {
  const level = levelAt(bucket, callsPerMinute, nowMs);
  return allowanceOf(level, callsPerMinute, msUntilToken(level, callsPerMinute));
}

/** The allowance to report when `left` remains in the bucket; a call is allowed when it need not wait. */
export function allowanceOf(left: number, callsPerMinute: number, waitMs: number): Allowance {
  const allowed = waitMs === 0;
  return {
    allowed,
    remaining: Math.floor(left / TOKEN),
    retryAfterSeconds: allowed ? 0 : retryAfterSeconds(waitMs),
    resetSeconds: Math.ceil((callsPerMinute * TOKEN - left) / (callsPerMinute * 1000)),
  };
}

function msUntilToken(level: number, callsPerMinute: number): number {
  return Math.max(0, Math.ceil((TOKEN - level) / callsPerMinute));
}

/** A request for several tokens at once, made by a process for the calls that it will serve. */
export type Draw = {
  readonly wanted: number;
  /** Tokens of an earlier draw that were not used. */
  readonly returned: number;
};

/** Draws as many of the wanted tokens as there are. */
export function drawTokens(
  bucket: TokenBucket,
  callsPerMinute: number,
  nowMs: number,
  { wanted, returned }: Draw,
): { readonly bucket: TokenBucket; readonly drawn: number } {
  const filled = levelAt(bucket, callsPerMinute, nowMs);
  const level = Math.min(callsPerMinute * TOKEN, filled + returned * TOKEN);
  const drawn = Math.min(wanted, Math.floor(level / TOKEN));
  return { bucket: { level: level - drawn * TOKEN, filledAt: filledUntil(bucket, nowMs) }, drawn };
}

export function levelAt({ level, filledAt }: TokenBucket, callsPerMinute: number, nowMs: number): number {
  return Math.min(callsPerMinute * TOKEN, level + Math.max(0, nowMs - filledAt) * callsPerMinute);
}

/**
 * How long it is until there is a token, if no other process draws. A bucket that was filled by a clock ahead of ours, or before ours was set
 * back, is refilled later; what it holds is there.
 */
export function msUntilTokenOf(bucket: TokenBucket, callsPerMinute: number, nowMs: number): number {
  if (levelAt(bucket, callsPerMinute, nowMs) >= TOKEN) return 0;
  return bucket.filledAt + msUntilToken(bucket.level, callsPerMinute) - nowMs;
}

/**
 * Clocks of several machines differ a little: the latest time counts, so that no period refills the bucket twice. A time
 * that is ahead by more than a full refill came from a wrong clock and must not keep the bucket empty.
 */
function filledUntil(bucket: TokenBucket, nowMs: number): number {
  return isFilledByWrongClock(bucket, nowMs) ? nowMs : Math.max(bucket.filledAt, nowMs);
}

/** The next draw corrects it. */
export function isFilledByWrongClock({ filledAt }: TokenBucket, nowMs: number): boolean {
  return filledAt > nowMs + FULL_AFTER_MS;
}
