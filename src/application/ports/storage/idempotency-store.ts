import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';

/** The first answer to a submission, kept for an hour, so that a repeated submission gets the same answer. */
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
  /** The record under this key that has not expired at `now`. */
  readonly find: (key: IdempotencyRecordKey, now: number) => Promise<IdempotencyRecord | null>;
  /** Deletes at most `limit` expired records; returns how many. */
  readonly deleteExpired: (now: number, limit: number) => Promise<number>;
};
