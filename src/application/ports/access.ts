import type { LimitedKey } from '../../domain/accounts/api-key.ts';
import type { Allowance, Draw, TokenBucket } from '../../domain/accounts/token-bucket.ts';

export type KeySecrets = {
  /** Generates a new secret. It is shown once to the operator and never stored. */
  readonly issue: () => string;
  readonly hash: (secret: string) => Uint8Array;
  /** Whether the text has the form of a key; saves a look-up for anything else. */
  readonly isWellFormed: (secret: string) => boolean;
};

/** Passwords of people, who choose worse ones than a generator: a hash takes time and memory. */
export type PasswordHashing = {
  readonly hash: (password: string) => Promise<string>;
  /** Takes as long for a hash that is not there. Those of several origins that wait for it take turns. */
  readonly isHashOf: (hash: string | null, password: string, origin: string) => Promise<boolean>;
};

export type AddressList = {
  readonly includes: (list: readonly string[], address: string) => boolean;
};

export type RateLimiter = {
  readonly take: (key: LimitedKey) => Promise<Allowance>;
  /** For the answer to a call that does not count: what is left, taking nothing. */
  readonly peek: (key: LimitedKey) => Promise<Allowance>;
};

/** For callers without a key, by the network that they come from. */
export type AddressLimiter = { readonly take: (network: string) => Allowance };

/** Signs the links by which documents are viewed without a key. Every process with the same sealing keys has the same. */
export type LinkSigning = {
  readonly sign: (text: string) => string;
  /** Whether it is a signature of the text, also by a former sealing key; takes the same time whatever the signature. */
  readonly isSignatureOf: (text: string, signature: string) => boolean;
};

/** Token buckets that all processes share. */
export type SharedBuckets = {
  /** Draws as many of the wanted tokens as there are and returns the bucket afterwards. A new key starts with a full bucket. */
  readonly draw: (
    key: LimitedKey,
    now: number,
    draw: Draw,
  ) => Promise<{ readonly bucket: TokenBucket; readonly drawn: number }>;
};
