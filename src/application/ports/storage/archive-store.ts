import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';

export const ARCHIVE_SIDES = ['outbound', 'inbound'] as const;

export type ArchiveSide = (typeof ARCHIVE_SIDES)[number];

/** Everything that is stored about one completed document. */
export type ArchivedDocument = {
  readonly id: DocUid;
  readonly createdAt: number;
  /** False for a failed document: it can be queued again and therefore keeps its files. */
  readonly isFinal: boolean;
  /** Its row, history, attempts and payload, with bytes in hexadecimal and times in milliseconds. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** By representation, the SHA-256 of the file in hexadecimal. */
  readonly files: Readonly<Record<string, string>>;
  /** What of it, its files aside, does not match its checksum; null where everything does. */
  readonly damage: string | null;
};

/** A file that is in the archive alone. */
export type ArchivedFile = {
  readonly sha256: Uint8Array;
  /** That of the document, which says in which month of the archive it is. */
  readonly createdAt: number;
  readonly documentNumber: string | null;
  /** The name under which an inbound document arrived. */
  readonly fileName: string | null;
};

export type ArchiveStore = {
  /** Null when the document is not archived, or has no such representation. */
  readonly archivedFile: (
    tenant: Edb,
    side: ArchiveSide,
    docUid: DocUid,
    representation: string,
  ) => Promise<ArchivedFile | null>;
  /** A file of the first or the last archived document of the tenant; null when none is archived. */
  readonly archivedFileOf: (tenant: Edb, side: ArchiveSide, end: 'first' | 'last') => Promise<ArchivedReference | null>;
  readonly count: (tenant: Edb, side: ArchiveSide, before: number) => Promise<number>;
  /**
   * Completed documents that were created before the time, in the order of their identifiers, starting after the given one or, without one,
   * at the first. So many at most, and none only where there are no more.
   */
  readonly listArchivable: (
    tenant: Edb,
    side: ArchiveSide,
    before: number,
    after: DocUid | null,
    limit: number,
  ) => Promise<readonly ArchivedDocument[]>;
  /** The document as it is now, if it is completed and not archived. Within a transaction it is locked against changes. */
  readonly find: (tenant: Edb, side: ArchiveSide, docUid: DocUid) => Promise<ArchivedDocument | null>;
  readonly content: (tenant: Edb, sha256: string) => Promise<Uint8Array | null>;
  /** Marks the document as archived and deletes its attempts and payload. Its files are removed by the sweep. */
  readonly markArchived: (tenant: Edb, side: ArchiveSide, docUid: DocUid, at: number) => Promise<void>;
};

/** A file of an archived document. */
export type ArchivedReference = {
  readonly tenant: Edb;
  readonly side: ArchiveSide;
  readonly id: DocUid;
  readonly createdAt: number;
  readonly representation: string;
  /** In hexadecimal. */
  readonly sha256: string;
};

export type IsInArchive = (file: ArchivedReference) => Promise<boolean>;

export type OnRemoved = (files: number) => void;

export type ContentSweep = {
  /**
   * Removes the files of all tenants that were stored ahead so long ago, and to which no document refers. Returns how many were
   * removed.
   */
  readonly sweepStoredAhead: (keptMs: number) => Promise<number>;
  /** Removes the tenant's files that only archived documents refer to, if the archive has them; tells how many with each transaction. */
  readonly sweep: (tenant: Edb, isInArchive: IsInArchive, onRemoved: OnRemoved) => Promise<void>;
};
