import type { Edb } from '../../domain/accounts/edb.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { OperatorError } from '../errors/operator-error.ts';
import type { ArchiveFolder } from '../ports/archive-folder.ts';
import {
  ARCHIVE_SIDES,
  type ArchivedReference,
  type ArchiveSide,
  type IsInArchive,
} from '../ports/storage/archive-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import { fileName } from './archive-line.ts';

/** Documents are read in the order of creation, except old ones from before the API; so few months are needed at once. */
const MONTHS_KEPT = 3;

/**
 * Tells by the manifests whether the archive has a file where it is looked for. Each month is read once, if documents come in order.
 * With `verify`, every volume that it relies on is given to that.
 */
export function archiveIndex(
  folder: ArchiveFolder,
  verify: (volume: string) => Promise<void> = async () => undefined,
): IsInArchive {
  const months = new Map<string, ReadonlyMap<string, string>>();
  return async (file) => {
    const { tenant, side, representation, sha256 } = file;
    const month = monthOf(file);
    const key = `${tenant} ${month} ${side}`;
    const files = months.get(key) ?? (await folder.files({ tenant, month, side }));
    const [oldest] = months.keys();
    if (!months.has(key) && months.size === MONTHS_KEPT && oldest !== undefined) months.delete(oldest);
    months.set(key, files);
    const volume = files.get(`${sha256} ${fileName(file, representation)}`);
    if (volume !== undefined) await verify(volume);
    return volume !== undefined;
  };
}

/** For example 2026-11. */
export function monthOf({ createdAt }: Pick<ArchivedReference, 'createdAt'>): string {
  return formatInstant(createdAt).slice(0, 7);
}

/**
 * Where the folder has none of these documents, their archive is elsewhere: its disk is not mounted, or the folder is another one. New volumes
 * would get the names of those in it, and once it is back where it belongs, nobody would find them. One document that is found will do: some
 * volumes may be lost, and `check` names them.
 */
export async function refuseOtherFolder(
  { archive }: Pick<Storage, 'archive'>,
  folder: ArchiveFolder,
  tenants: readonly Edb[],
): Promise<void> {
  const isInArchive = archiveIndex(folder);
  let hasArchived = false;
  for await (const file of someArchivedFiles(archive, tenants)) {
    if (await isInArchive(file)) return;
    hasArchived = true;
  }
  if (!hasArchived) return;
  const message = 'The folder of the archive has none of the documents that are archived: it is not their archive.';
  throw new OperatorError('refused', message, 'archive-elsewhere');
}

async function* someArchivedFiles(archive: Storage['archive'], tenants: readonly Edb[]) {
  const archived: { readonly tenant: Edb; readonly side: ArchiveSide }[] = [];
  for (const tenant of tenants) {
    for (const side of ARCHIVE_SIDES) {
      const first = await archive.archivedFileOf(tenant, side, 'first');
      if (first === null) continue;
      archived.push({ tenant, side });
      yield first;
    }
  }
  for (const { tenant, side } of archived) {
    const last = await archive.archivedFileOf(tenant, side, 'last');
    if (last !== null) yield last;
  }
}
