import type { BackUpDatabase } from '../application/maintenance/back-up-database.ts';
import type { CopyOutcome } from '../application/maintenance/copy-database.ts';
import type { RestoreDatabase } from '../application/maintenance/restore-database.ts';
import type { ArchiveCheck } from '../application/maintenance/verify-archive.ts';
import type { CopyStep } from '../application/ports/database-copy.ts';
import type { Timers } from '../application/ports/platform.ts';

/** Tools for whole databases and archives. They open what they need themselves; the database of the service stays closed. */
export type DatabaseTools = {
  /** For the speed of the progress. */
  readonly timers: Timers;
  /** Copies the embedded database of a folder into PostgreSQL; `to` null means the configured one. */
  readonly copyToPostgres: (
    dataDir: string,
    options: { readonly to: string | null; readonly acceptDamage: boolean },
    progress: (step: CopyStep) => void,
  ) => Promise<CopyOutcome>;
  readonly backUp: BackUpDatabase;
  readonly restore: RestoreDatabase;
  readonly verifyArchive: (folder: string, progress: (done: number, total: number) => void) => Promise<ArchiveCheck>;
};
