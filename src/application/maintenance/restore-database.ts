import { OperatorError } from '../errors/operator-error.ts';
import type { BackupFiles, BackupProgress, Inventory } from '../ports/backup.ts';

type Needs = { readonly files: BackupFiles /** Where the database of the service is. */; readonly database: string };

export type Restored = Inventory & {
  readonly database: string;
  readonly sha256: string;
  /** Whether there was a checksum beside the backup, which then was right. */
  readonly hasChecksum: boolean;
  /** Where the database is now that was there before. */
  readonly setAside: string | null;
};

export type RestoreStore = (
  file: string,
  options: { readonly force: boolean },
  progress: BackupProgress,
) => Promise<Restored>;

/** The database is replaced only by a copy that lies beside it already and was found whole. */
export function restoreStore({ files, database }: Needs): RestoreStore {
  return async (file, { force }, progress) => {
    if (!files.exists(file)) throw new OperatorError('not-found', `There is no file ${file}.`);
    if (files.exists(database) && !force) {
      throw new OperatorError('refused', `There is a database already: ${database}. With --force it is set aside.`);
    }
    const draft = `${database}.restoring`;
    try {
      const sha256 = await files.copyFile(file, draft, progress);
      const said = await files.checksum(file);
      if (said !== null && said !== sha256) {
        throw new OperatorError('refused', `${file} is not what was backed up: its SHA-256 is not the one beside it.`);
      }
      const inventory = await files.check(draft, progress);
      return { database, sha256, hasChecksum: said !== null, ...(await files.install(draft)), ...inventory };
    } catch (error) {
      await files.remove(draft);
      throw error;
    }
  };
}
