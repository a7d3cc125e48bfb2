import type { ArchiveFolder, VolumeVerdict } from './archive-ports.ts';
import { OperatorError } from './operator-error.ts';

export type ArchiveVerdict = { readonly isInOrder: boolean; readonly volumes: readonly VolumeVerdict[] };

/** Compares every file of an archive with the manifests. Needs nothing but the archive. */
export async function verifyArchive(
  folder: ArchiveFolder,
  progress: (done: number, total: number) => void,
): Promise<ArchiveVerdict> {
  const names = await folder.volumes();
  if (names.length === 0) throw new OperatorError('not-found', 'There is no archive in that folder.');
  const volumes: VolumeVerdict[] = [];
  for (const name of names) {
    volumes.push(await folder.verify(name));
    progress(volumes.length, names.length);
  }
  return { isInOrder: volumes.every(({ faults }) => faults.length === 0), volumes };
}
