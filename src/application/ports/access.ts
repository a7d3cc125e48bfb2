import type { LimitedKey } from '../../domain/accounts/api-key.ts';
import type { Allowance, Draw, TokenBucket } from '../../domain/accounts/token-bucket.ts';

export type KeySecrets = {
  /** A new secret, shown once to the operator. */
  readonly issue: () => string;
  readonly hash: (secret: string) => Uint8Array;
  /** Whether the text can be a key of ours at all; spares the look-up of nonsense. */
  readonly plausible: (secret: string) => boolean;
};

export type AddressList = {
  readonly includes: (list: readonly string[], address: string) => boolean;
  readonly isValidEntry: (entry: string) => boolean;
};

export type RateLimiter = {
  readonly take: (key: LimitedKey) => Promise<Allowance>;
};

/** The token buckets of keys, which all processes share. */
export type SharedBuckets = {
  /** Draws what there is of what is wanted, and tells what is left. A key that nobody knew has a full bucket. */
  readonly draw: (
    key: LimitedKey,
    now: number,
    draw: Draw,
  ) => Promise<{ readonly bucket: TokenBucket; readonly drawn: number }>;
};
