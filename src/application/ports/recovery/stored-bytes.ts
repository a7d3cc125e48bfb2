import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { ArchivedReference, ArchiveSide } from '../storage/archive-store.ts';

/** Where to go on: after that one, or before it. A null begins at that end. */
export type ReadFrom = { readonly after: ReadBytes | null } | { readonly before: ReadBytes | null };

/** A file or a payload as it was read; `key` is where to go on from. What cannot be read at all is damaged too. */
export type ReadBytes = {
  readonly tenant: Edb;
  /** The SHA-256 of a file in hexadecimal, or the document of a payload. */
  readonly key: string;
  readonly isDamaged: boolean;
};

export type ArchivedPlace = { readonly tenant: Edb; readonly id: DocUid };

/**
 * Everything in the database that has a checksum, for all tenants, in the order of tenant and key. Throws DatabaseDamaged where a page
 * that leads there cannot be read.
 */
export type StoredBytes = {
  /** What the engine itself finds wrong with the structure of the database; nothing where it has no such check. */
  readonly structure: () => Promise<readonly string[]>;
  readonly count: () => Promise<{ readonly files: number; readonly payloads: number }>;
  readonly files: (from: ReadFrom) => Promise<readonly ReadBytes[]>;
  readonly payloads: (from: ReadFrom) => Promise<readonly ReadBytes[]>;
  /** Documents that refer to a file, at most so many. */
  readonly documentsOf: (tenant: Edb, sha256: string, limit: number) => Promise<readonly DocUid[]>;
  /** Documents whose file is not there although it was not archived, at most so many. */
  readonly withoutFile: (limit: number) => Promise<readonly { readonly tenant: Edb; readonly docUid: DocUid }[]>;
  /** Files of archived documents that the archive alone has, page by page; `last` is where to go on from, null at the end. */
  readonly archivedFiles: (
    side: ArchiveSide,
    after: ArchivedPlace | null,
  ) => Promise<{ readonly files: readonly ArchivedReference[]; readonly last: ArchivedPlace | null }>;
};
