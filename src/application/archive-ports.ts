import type { DocUid } from '../domain/doc-uid.ts';
import type { Edb } from '../domain/edb.ts';

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

export type VolumeName = {
  readonly tenant: string;
  /** For example 2026-11. */
  readonly month: string;
  readonly side: ArchiveSide;
};

/** A part of the archive that is written: it appears under its name when it is whole. */
export type NewVolume = {
  readonly path: string;
  readonly add: (name: string, bytes: Uint8Array) => Promise<void>;
  readonly addLine: (line: string) => Promise<void>;
  readonly finish: () => Promise<void>;
};

export type VolumeVerdict = {
  readonly volume: string;
  readonly documents: number;
  readonly files: number;
  readonly bytes: number;
  /** In sentences; none when it is in order. */
  readonly faults: readonly string[];
};

export type ArchiveFolder = {
  /** The SHA-256 of every line of the volumes that are whole, with the volume it is in. */
  readonly lines: (name: VolumeName) => Promise<ReadonlyMap<string, string>>;
  readonly begin: (name: VolumeName, about: Readonly<Record<string, unknown>>) => Promise<NewVolume>;
  /** Volumes that are whole. */
  readonly volumes: () => Promise<readonly string[]>;
  /** Reads a volume from the disk again and compares everything with its manifest. */
  readonly verify: (volume: string) => Promise<VolumeVerdict>;
};
