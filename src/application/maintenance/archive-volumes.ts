import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { ArchiveFolder, NewVolume } from '../ports/archive-folder.ts';
import type { ArchiveSide } from '../ports/storage/archive-store.ts';

export type ArchiveEntry = { readonly id: DocUid; readonly sha256: string };

type Month = {
  readonly known: ReadonlyMap<string, string>;
  /** Documents that were found in volumes of earlier runs, by volume. */
  readonly found: Map<string, ArchiveEntry[]>;
  open: { readonly volume: NewVolume; readonly entries: ArchiveEntry[]; bytes: number } | null;
};

/** The volumes of one tenant and one side. For each month at most one volume is open for writing. */
export type ArchiveVolumes = {
  readonly has: (month: string, entry: ArchiveEntry) => Promise<boolean>;
  readonly volume: (month: string) => Promise<NewVolume>;
  readonly added: (month: string, entry: ArchiveEntry, bytes: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

const VOLUME_DOCUMENTS = 5_000;
const VOLUME_BYTES = 2 ** 30;
/** Documents are read in the order of creation, except old ones from before the API; so few months are open at once. */
const MAX_OPEN_MONTHS = 3;

export type VolumeWork = {
  /** Reads a volume back and refuses one that is damaged. */
  readonly verify: (volume: string) => Promise<void>;
  /** Called for every finished volume, with those documents of this run that are in it. */
  readonly onComplete: (volume: string, entries: readonly ArchiveEntry[]) => Promise<void>;
};

/** A volume gets its name after it was read back and verified; one of an earlier run is verified again. */
export function openArchiveVolumes(
  folder: ArchiveFolder,
  place: { readonly tenant: string; readonly side: ArchiveSide },
  about: Readonly<Record<string, unknown>>,
  { verify, onComplete }: VolumeWork,
): ArchiveVolumes {
  const months = new Map<string, Month>();

  async function monthOf(name: string): Promise<Month> {
    const known = months.get(name);
    if (known !== undefined) return known;
    if (months.size === MAX_OPEN_MONTHS) await closeMonth([...months.keys()][0] ?? '');
    const month: Month = { known: await folder.lines({ ...place, month: name }), found: new Map(), open: null };
    months.set(name, month);
    return month;
  }

  async function closeVolume(month: Month): Promise<void> {
    if (month.open === null) return;
    const { volume, entries } = month.open;
    month.open = null;
    await volume.seal();
    await verify(volume.draft);
    await volume.finish();
    await onComplete(volume.path, entries);
  }

  async function closeMonth(name: string): Promise<void> {
    const month = months.get(name);
    months.delete(name);
    if (month === undefined) return;
    await closeVolume(month);
    for (const [volume, entries] of month.found) {
      await verify(volume);
      await onComplete(volume, entries);
    }
  }

  return {
    async has(name, entry) {
      const month = await monthOf(name);
      const volume = month.known.get(entry.sha256);
      if (volume === undefined) return false;
      const found = month.found.get(volume) ?? [];
      found.push(entry);
      month.found.set(volume, found);
      return true;
    },
    async volume(name) {
      const month = await monthOf(name);
      month.open ??= { volume: await folder.begin({ ...place, month: name }, about), entries: [], bytes: 0 };
      return month.open.volume;
    },
    async added(name, entry, bytes) {
      const month = await monthOf(name);
      if (month.open === null) throw new Error('Added to a volume that is not open.');
      month.open.entries.push(entry);
      month.open.bytes += bytes;
      if (month.open.entries.length >= VOLUME_DOCUMENTS || month.open.bytes >= VOLUME_BYTES) await closeVolume(month);
    },
    async close() {
      for (const name of [...months.keys()]) await closeMonth(name);
    },
  };
}
