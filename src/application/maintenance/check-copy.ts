import type { BackupFiles, BackupProgress, Inventory } from '../ports/backup.ts';
import type { StoreEnvironment } from '../ports/store-environment.ts';
import { checkStoredBytes, type FoundDamage } from '../recovery/check-stored-bytes.ts';

export type CheckedCopy = {
  readonly inventory: Inventory;
  readonly environment: StoreEnvironment | null;
  readonly damage: readonly FoundDamage[];
};

/** Checks a copy of an embedded database completely: its structure, its references, and every file and payload against its SHA-256. */
export async function checkCopy(
  files: BackupFiles,
  { draft, of }: { readonly draft: string; readonly of: string },
  progress: BackupProgress,
): Promise<CheckedCopy> {
  await using copy = await files.openCopy(draft, of);
  const check = checkStoredBytes({ bytes: copy.bytes, archive: null });
  const found = await check(({ what, ...step }) => progress({ act: 'checking', what, ...step, unit: what }));
  return {
    inventory: { ...(await copy.counted()), files: found.files },
    environment: await copy.environment(),
    damage: found.damage,
  };
}
