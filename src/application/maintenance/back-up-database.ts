import { OperatorError } from '../errors/operator-error.ts';
import type { BackupFiles, BackupProgress, Inventory } from '../ports/backup.ts';

export type BackedUp = Inventory & { readonly file: string; readonly sha256: string; readonly bytes: number };

export type BackUpDatabase = (file: string, progress: BackupProgress) => Promise<BackedUp>;

/** The backup appears under its name only after it was read back and checked. */
export function backUpDatabase({ files }: { readonly files: BackupFiles }): BackUpDatabase {
  return async (file, progress) => {
    if (files.exists(file)) throw new OperatorError('refused', `${file} is there already.`);
    const draft = `${file}.part`;
    try {
      await files.copyLive(draft, progress);
      const inventory = await files.check(draft, progress);
      return { file, ...(await files.publish(draft, file)), ...inventory };
    } catch (error) {
      await files.remove(draft);
      throw error;
    }
  };
}
