import type { Edb } from '../../domain/accounts/edb.ts';
import type { ArchiveSide } from './storage/archive-store.ts';

/** Where the file of an archived document is. */
export type ArchivePlace = {
  readonly tenant: Edb;
  readonly side: ArchiveSide;
  /** For example 2026-11. */
  readonly month: string;
  /** Within its volume. */
  readonly path: string;
  readonly sha256: Uint8Array;
};

export type ArchivedFiles = {
  /**
   * The bytes of a file, once they were compared with their SHA-256. Throws ServiceUnavailable while the archive is out of
   * reach, and another error when the bytes are damaged.
   */
  readonly read: (place: ArchivePlace) => Promise<Uint8Array>;
};
