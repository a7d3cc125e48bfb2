import type { Edb } from '../../domain/accounts/edb.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import { counted } from '../../domain/messages/message.ts';
import { toHex } from '../../domain/values/hex.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import type { RecordCommand } from '../audit/record-command.ts';
import { ContentInUse, OperatorError } from '../errors/operator-error.ts';
import type { ArchiveFolder } from '../ports/archive-folder.ts';
import type { Clock, Hasher } from '../ports/platform.ts';
import {
  ARCHIVE_SIDES,
  type ArchivedDocument,
  type ArchiveSide,
  type ContentSweep,
  type IsInArchive,
} from '../ports/storage/archive-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { FoundDamage } from '../recovery/check-stored-bytes.ts';
import { archiveIndex, refuseOtherFolder } from './archive-index.ts';
import { archiveLine, fileName } from './archive-line.ts';
import { type ArchiveEntry, type ArchiveVolumes, openArchiveVolumes } from './archive-volumes.ts';
import { filesToArchive } from './files-to-archive.ts';

type Needs = {
  readonly storage: Storage;
  readonly contents: ContentSweep;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly record: RecordCommand;
};

export type ArchiveRequest = {
  readonly folder: ArchiveFolder;
  /** Keeps other runs from writing there until it is disposed of; refused while another run has it. */
  readonly lock: () => Disposable;
  readonly before: number;
  /** Whether the documents' files are removed from the database once they are archived. */
  readonly remove: boolean;
  /** Whether the service reads archived files from this folder: only then may they leave the database. */
  readonly isServed: boolean;
  /** Whether also the files of documents leave the database that have to be kept still. */
  readonly younger: boolean;
  /** Whether a new archive begins there, although documents are in a former one: that is lost. */
  readonly isNewArchive: boolean;
  readonly progress: (step: ArchiveStep) => void;
};

export type ArchiveStep = {
  readonly tenant: Edb;
  readonly side: ArchiveSide;
  readonly done: number;
  readonly total: number;
};

export type ArchiveOutcome = {
  /** Documents that were written by this run. */
  readonly written: number;
  /** Documents that were in the archive already, unchanged. */
  readonly known: number;
  /** Documents whose files are from now on only in the archive. */
  readonly markedArchived: number;
  readonly filesRemoved: number;
  /** Why files that are no longer needed were left in the database, for the next run; null where none were. */
  readonly filesLeft: string | null;
  readonly volumes: readonly string[];
  /** Of each document that was left out what is damaged or missing in the database. */
  readonly damage: readonly FoundDamage[];
};

export type ArchiveDocuments = (request: ArchiveRequest) => Promise<ArchiveOutcome>;

type Numbers = 'written' | 'known' | 'markedArchived' | 'filesRemoved';
type Counts = Record<Numbers, number> & { filesLeft: string | null; volumes: string[]; damage: FoundDamage[] };

const PAGE_SIZE = 100;
/** By law. */
const YEARS_KEPT = 10;

/** Writes completed documents into an archive. Nothing is removed from the database before the volume was read back and verified. */
export function archiveDocuments(needs: Needs): ArchiveDocuments {
  return async (request) => {
    const numbers = { written: 0, known: 0, markedArchived: 0, filesRemoved: 0 };
    const counts: Counts = { ...numbers, filesLeft: null, volumes: [], damage: [] };
    if (request.before > needs.clock.now()) {
      throw new OperatorError(
        'refused',
        'The time limit of the archive lies in the future.',
        'archive-limit-in-future',
      );
    }
    if (request.remove) refuseRemoval(request, needs.clock.now());
    const tenants = (await needs.storage.tenants.list()).map(({ edb }) => edb);
    if (request.isServed && !request.isNewArchive) await refuseOtherFolder(needs.storage, request.folder, tenants);
    using _lock = request.lock();
    for (const edb of tenants) {
      for (const side of ARCHIVE_SIDES) await archiveSide(needs, request, counts, edb, side);
      if (request.remove) await removeFiles(needs, request, counts, edb);
    }
    return counts;
  };
}

/** All tenants have their files in one table. Where it is in use, it is not asked for once more: whoever stores a file waits behind us. */
async function removeFiles({ contents }: Needs, request: ArchiveRequest, counts: Counts, tenant: Edb): Promise<void> {
  if (counts.filesLeft !== null) return;
  try {
    await contents.sweep(tenant, verifiedIndex(request, counts), (files) => {
      counts.filesRemoved += files;
    });
  } catch (error) {
    if (!(error instanceof ContentInUse)) throw error;
    counts.filesLeft = error.message;
  }
}

/** A run that was cut off may have left files to this one: the volumes that have them may be damaged since. */
function verifiedIndex(request: ArchiveRequest, { volumes }: Counts): IsInArchive {
  return archiveIndex(request.folder, async (volume) => {
    if (volumes.includes(volume)) return;
    await refuseDamaged(request, volume);
    volumes.push(volume);
  });
}

async function refuseDamaged({ folder }: ArchiveRequest, volume: string): Promise<void> {
  const { damage } = await folder.verify(volume);
  if (damage.length > 0) throw new OperatorError('refused', `${volume} is damaged: ${damage.join(' ')}`);
}

/** Clients may ask for the files of any document, and documents have to be kept for ten years. */
function refuseRemoval({ before, isServed, younger }: ArchiveRequest, now: number): void {
  if (!isServed) {
    throw new OperatorError(
      'refused',
      'Files are removed from the database only when the service can read them from the archive.',
      'archive-not-served',
    );
  }
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() - YEARS_KEPT);
  if (before <= limit.getTime() || younger) return;
  throw new OperatorError(
    'refused',
    `Documents of the last ${YEARS_KEPT} years, from ${formatInstant(limit.getTime()).slice(0, 10)} on, keep their files in the database.`,
    'archive-too-young',
  );
}

async function archiveSide(needs: Needs, request: ArchiveRequest, counts: Counts, tenant: Edb, side: ArchiveSide) {
  const { storage, clock } = needs;
  const total = await storage.archive.count(tenant, side, request.before);
  const about = { tenant, side, before: formatInstant(request.before), writtenAt: formatInstant(clock.now()) };
  const volumes = openArchiveVolumes(request.folder, { tenant, side }, about, {
    verify: (volume) => refuseDamaged(request, volume),
    async onComplete(volume, documents) {
      if (!counts.volumes.includes(volume)) counts.volumes.push(volume);
      if (request.remove) counts.markedArchived += await markArchived(needs, tenant, side, documents);
    },
  });
  let after: DocUid | null = null;
  let done = 0;
  for (;;) {
    const page = await storage.archive.listArchivable(tenant, side, request.before, after, PAGE_SIZE);
    const last = page.at(-1);
    if (last === undefined) break;
    for (const document of page) {
      const added = await addToVolume(needs, volumes, tenant, side, document);
      if (typeof added === 'string') counts[added] += 1;
      else counts.damage.push({ tenant, what: added.damage, documents: [document.id] });
    }
    after = last.id;
    done += page.length;
    request.progress({ tenant, side, done, total });
  }
  await volumes.close();
}

/**
 * Known is what the archive holds already, unchanged. One that is damaged is left out: nobody may be able to mend it, and the others must
 * come into the archive all the same.
 */
async function addToVolume(
  { storage, hasher }: Needs,
  volumes: ArchiveVolumes,
  tenant: Edb,
  side: ArchiveSide,
  document: ArchivedDocument,
): Promise<'written' | 'known' | { readonly damage: string }> {
  if (document.damage !== null) return { damage: document.damage };
  const line = archiveLine(side, document);
  const sha256 = toHex(hasher.sha256(line));
  const entry = { id: document.id, sha256 };
  const month = formatInstant(document.createdAt).slice(0, 7);
  if (await volumes.has(month, entry)) return 'known';
  const read = await filesToArchive(storage.archive, tenant, document);
  if ('damage' in read) return read;
  const volume = await volumes.volume(month);
  let bytes = line.length;
  for (const [representation, content] of read.files) {
    await volume.add(fileName(document, representation), content);
    bytes += content.length;
  }
  await volume.addLine(line);
  await volumes.added(month, entry, bytes);
  return 'written';
}

/** Skips documents that have changed since they were written to the volume; the next run archives them again. */
async function markArchived(
  { storage, hasher, clock, record }: Needs,
  tenant: Edb,
  side: ArchiveSide,
  entries: readonly ArchiveEntry[],
) {
  let marked = 0;
  for (let first = 0; first < entries.length; first += PAGE_SIZE) {
    marked += await storage.transaction(async (tx) => {
      const { archive } = tx;
      let count = 0;
      for (const { id, sha256 } of entries.slice(first, first + PAGE_SIZE)) {
        const document = await archive.find(tenant, side, id);
        if (document === null || !document.isFinal || document.damage !== null) continue;
        if (toHex(hasher.sha256(archiveLine(side, document))) !== sha256) continue;
        await archive.markArchived(tenant, side, id, clock.now());
        count += 1;
      }
      const target = `${counted(count, `${side} document`)}, from ${entries[first]?.id}`;
      if (count > 0) await record(tx, { command: 'archive --delete', target, tenant });
      return count;
    });
  }
  return marked;
}
