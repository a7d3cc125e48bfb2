import { OperatorError } from '../errors/operator-error.ts';
import type { ArchiveFolder, VolumeCheck } from '../ports/archive-folder.ts';

export type ArchiveCheck = { readonly isInOrder: boolean; readonly volumes: readonly VolumeCheck[] };

/** Compares every file of an archive with the manifests. Needs only the archive, no database. */
export async function verifyArchive(
  folder: ArchiveFolder,
  progress: (done: number, total: number) => void,
): Promise<ArchiveCheck> {
  const names = await folder.volumes();
  if (names.length === 0) throw new OperatorError('not-found', 'There is no archive in that folder.');
  const volumes: VolumeCheck[] = [];
  for (const name of names) {
    volumes.push(await folder.verify(name));
    progress(volumes.length, names.length);
  }
  return { isInOrder: volumes.every(({ damage }) => damage.length === 0), volumes };
}
