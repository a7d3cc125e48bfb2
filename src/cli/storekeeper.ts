import type { BackUpStore } from '../application/back-up-store.ts';
import type { CopyOutcome } from '../application/copy-store.ts';
import type { RestoreStore } from '../application/restore-store.ts';
import type { CopyStep } from '../application/store-copy-ports.ts';
import type { ArchiveVerdict } from '../application/verify-archive.ts';

/** What the command line can do with whole databases and files. It opens them itself, and nothing else. */
export type Storekeeper = {
  /** Copies the embedded database of a folder into PostgreSQL, by default into the one that is configured. */
  readonly moveUp: (dataDir: string, to: string | null, progress: (step: CopyStep) => void) => Promise<CopyOutcome>;
  readonly backUp: BackUpStore;
  readonly restore: RestoreStore;
  readonly verifyArchive: (folder: string, progress: (done: number, total: number) => void) => Promise<ArchiveVerdict>;
};
