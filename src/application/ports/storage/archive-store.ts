import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';

export const ARCHIVE_SIDES = ['outbound', 'inbound'] as const;

export type ArchiveSide = (typeof ARCHIVE_SIDES)[number];

/** All that is kept of one document that is over. */
export type ArchivedDocument = {
  readonly id: DocUid;
  readonly createdAt: number;
  /** Nothing can happen to it any more. A failed document can still be queued again, and keeps its files. */
  readonly isFinal: boolean;
  /** Its row, its history, its attempts and what was sent, with bytes in hexadecimal and times in milliseconds. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** By representation, the SHA-256 of the file in hexadecimal. */
  readonly files: Readonly<Record<string, string>>;
};

export type ArchiveStore = {
  /** When the document's files were taken out of the database; null while they are here. */
  readonly archivedAt: (tenant: Edb, side: ArchiveSide, docUid: DocUid) => Promise<number | null>;
  readonly count: (tenant: Edb, side: ArchiveSide, before: number) => Promise<number>;
  /** Documents that are over and were created before that time, behind the given one, in the order of their identifiers. */
  readonly over: (
    tenant: Edb,
    side: ArchiveSide,
    before: number,
    after: DocUid,
    limit: number,
  ) => Promise<readonly ArchivedDocument[]>;
  /** The document as it is now, if it is over and still here. Within a transaction it stays so. */
  readonly find: (tenant: Edb, side: ArchiveSide, docUid: DocUid) => Promise<ArchivedDocument | null>;
  readonly content: (tenant: Edb, sha256: string) => Promise<Uint8Array | null>;
  /** Takes out what belongs to the document alone, and notes the time. */
  readonly takeOut: (tenant: Edb, side: ArchiveSide, docUid: DocUid, at: number) => Promise<void>;
};

export type ContentSweep = {
  /** Removes the tenant's files that no document refers to but those that were taken out; returns how many. */
  readonly sweep: (tenant: Edb) => Promise<number>;
};
