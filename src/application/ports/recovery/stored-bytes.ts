import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';

/** A file or a payload as it was read; `key` is where to go on from. */
export type ReadBytes = {
  readonly tenant: Edb;
  /** The SHA-256 of a file in hexadecimal, or the document of a payload. */
  readonly key: string;
  readonly isDamaged: boolean;
};

/** Everything in the database that has a checksum, for all tenants, in the order of tenant and key. */
export type StoredBytes = {
  /** What the engine itself finds wrong with the structure of the database; nothing where it has no such check. */
  readonly structure: () => Promise<readonly string[]>;
  readonly count: () => Promise<{ readonly files: number; readonly payloads: number }>;
  readonly files: (after: ReadBytes | null) => Promise<readonly ReadBytes[]>;
  readonly payloads: (after: ReadBytes | null) => Promise<readonly ReadBytes[]>;
  /** Documents that refer to a file, at most so many. */
  readonly documentsOf: (tenant: Edb, sha256: string, limit: number) => Promise<readonly DocUid[]>;
  /** Documents whose file is not there although it was not archived, at most so many. */
  readonly withoutFile: (limit: number) => Promise<readonly { readonly tenant: Edb; readonly docUid: DocUid }[]>;
};
