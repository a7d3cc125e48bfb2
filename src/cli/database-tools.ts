import type { BackUpStore } from '../application/maintenance/back-up-database.ts';
import type { CopyOutcome } from '../application/maintenance/copy-database.ts';
import type { RestoreStore } from '../application/maintenance/restore-database.ts';
import type { ArchiveCheck } from '../application/maintenance/verify-archive.ts';
import type { CopyStep } from '../application/ports/database-copy.ts';

/** What the command line can do with whole databases and files. It opens them itself, and nothing else. */
export type DatabaseTools = {
  /** Copies the embedded database of a folder into PostgreSQL, by default into the one that is configured. */
  readonly moveUp: (dataDir: string, to: string | null, progress: (step: CopyStep) => void) => Promise<CopyOutcome>;
  readonly backUp: BackUpStore;
  readonly restore: RestoreStore;
  readonly verifyArchive: (folder: string, progress: (done: number, total: number) => void) => Promise<ArchiveCheck>;
};
