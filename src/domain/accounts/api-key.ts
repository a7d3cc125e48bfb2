import type { Edb } from './edb.ts';

export const INTEGRATION_SCOPE = 'IntegrationApi';

export const DEFAULT_CALLS_PER_MINUTE = 600;

/** An API key without its secret, of which only a hash is stored. */
export type ApiKey = {
  readonly keyId: string;
  readonly tenant: Edb;
  /** The software the key was issued for; idempotency is scoped by it. */
  readonly software: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Addresses and CIDR ranges that may use the key; empty means any. */
  readonly allowedAddresses: readonly string[];
  readonly callsPerMinute: number;
  readonly createdAt: number;
  /** Up to an hour behind; null when it was never used. */
  readonly lastUsedAt: number | null;
};

/** The last use of a key is on record as exactly as this. */
export const KEY_USE_STEP_MS = 3_600_000;

/** Whether a use of the key now has yet to be put on record. A time ahead of ours was written by a wrong clock. */
export function isNewUse({ lastUsedAt }: Pick<ApiKey, 'lastUsedAt'>, now: number): boolean {
  return lastUsedAt === null || Math.abs(now - lastUsedAt) >= KEY_USE_STEP_MS;
}

/** The part of a key that its rate limit depends on. */
export type LimitedKey = Pick<ApiKey, 'tenant' | 'keyId' | 'callsPerMinute'>;

export type UnusableReason = 'revoked' | 'expired' | 'address' | 'scope';

/** The first reason why a key may not be used for the integration API, in the order of the contract; null when it may. */
export function whyUnusable(
  key: ApiKey,
  nowMs: number,
  addressAllowed: (list: readonly string[]) => boolean,
): UnusableReason | null {
  if (key.revokedAt !== null && key.revokedAt <= nowMs) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= nowMs) return 'expired';
  if (key.allowedAddresses.length > 0 && !addressAllowed(key.allowedAddresses)) return 'address';
  return key.scopes.includes(INTEGRATION_SCOPE) ? null : 'scope';
}
