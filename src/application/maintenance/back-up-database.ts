import { OperatorError } from '../errors/operator-error.ts';
import type { BackupFiles, BackupProgress, Inventory } from '../ports/backup.ts';
import type { FoundDamage } from '../recovery/check-stored-bytes.ts';
import { checkCopy } from './check-copy.ts';

export type BackedUp = Inventory & {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** What is damaged in the database, and therefore in the copy. */
  readonly damage: readonly FoundDamage[];
};

export type BackUpDatabase = (file: string, progress: BackupProgress) => Promise<BackedUp>;

/**
 * The backup appears under its name only after it was read back and checked. A database in which something is damaged is backed up all
 * the same, and what is damaged is said: on a disk that begins to fail, a copy of everything else is what is needed most.
 */
export function backUpDatabase({ files }: { readonly files: BackupFiles }): BackUpDatabase {
  return async (file, progress) => {
    const draft = `${file}.part`;
    using _lock = files.lock(draft);
    if (files.exists(file)) throw new OperatorError('refused', `${file} is there already.`);
    try {
      await files.copyLive(draft, progress);
      const { inventory, damage } = await checkCopy(files, { draft, of: draft }, progress);
      return { file, ...(await files.publish(draft, file)), ...inventory, damage };
    } catch (error) {
      await files.remove(draft);
      throw error;
    }
  };
}
