import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';

/** The first answer to a submission, kept for an hour under the client's idempotency key. */
export type IdempotencyRecord = {
  readonly contentSha256: Uint8Array;
  readonly docUid: DocUid;
  readonly receivedAt: number;
};

export type IdempotencyRecordKey = {
  readonly tenant: Edb;
  readonly software: string;
  readonly idempotencyKey: Uint8Array;
};

export type IdempotencyStore = {
  /** The submission under this key that is still remembered at that time. */
  readonly find: (key: IdempotencyRecordKey, now: number) => Promise<IdempotencyRecord | null>;
  /** Takes the key if it is free at that time; false when another process holds it. */
  readonly remember: (
    key: IdempotencyRecordKey,
    submission: IdempotencyRecord,
    expiresAt: number,
    now: number,
  ) => Promise<boolean>;
  /** Forgets what is past its hour, at most `limit` rows; returns how many. */
  readonly deleteExpired: (now: number, limit: number) => Promise<number>;
};
