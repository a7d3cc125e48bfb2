import { formatInstant } from '../../domain/values/instant.ts';
import type { ArchiveFolder } from '../ports/archive-folder.ts';
import type { ArchivedReference, IsInArchive } from '../ports/storage/archive-store.ts';
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
