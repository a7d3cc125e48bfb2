export type BackupStep = {
  readonly act: 'copying' | 'checking';
  readonly what: string;
  readonly done: number;
  readonly total: number;
  readonly unit: string;
};

export type BackupProgress = (step: BackupStep) => void;

/** What was found in a database that is in order. */
export type Inventory = { readonly outbound: number; readonly inbound: number; readonly files: number };

/** A database as a file, and its copies. */
export type BackupFiles = {
  readonly exists: (file: string) => boolean;
  /** The database of the service as it is at one moment, beside the running service. */
  readonly copyLive: (draft: string, progress: BackupProgress) => Promise<void>;
  /** A file as it is. Returns its SHA-256. */
  readonly copyFile: (from: string, draft: string, progress: BackupProgress) => Promise<string>;
  /** Refuses what is damaged: its structure, its references, and every file against its SHA-256. */
  readonly check: (draft: string, progress: BackupProgress) => Promise<Inventory>;
  /** Makes the draft the file, safely on disk, with its checksum beside it. Returns its SHA-256. */
  readonly publish: (draft: string, file: string) => Promise<{ readonly sha256: string; readonly bytes: number }>;
  /** The SHA-256 that stands beside a file; null where there is none. */
  readonly checksum: (file: string) => Promise<string | null>;
  /** Makes the draft the database; the one before, if there is one, is set aside. Refused while a service runs on it. */
  readonly install: (draft: string) => Promise<{ readonly setAside: string | null }>;
  readonly remove: (draft: string) => Promise<void>;
};
