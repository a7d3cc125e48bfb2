import type { LimitedKey } from '../domain/api-key.ts';
import type { Draw, TokenBucket } from '../domain/token-bucket.ts';

/** The token buckets of keys, which all processes share. */
export type SharedBuckets = {
  /** Draws what there is of what is wanted, and tells what is left. A key that nobody knew has a full bucket. */
  readonly draw: (
    key: LimitedKey,
    now: number,
    draw: Draw,
  ) => Promise<{ readonly bucket: TokenBucket; readonly drawn: number }>;
};
