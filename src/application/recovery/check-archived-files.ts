import { counted } from '../../domain/messages/message.ts';
import { unlessDamaged } from '../errors/damage.ts';
import { archiveIndex, monthOf } from '../maintenance/archive-index.ts';
import type { ArchiveFolder } from '../ports/archive-folder.ts';
import type { ArchivedPlace, StoredBytes } from '../ports/recovery/stored-bytes.ts';
import { ARCHIVE_SIDES, type ArchivedReference, type ArchiveSide } from '../ports/storage/archive-store.ts';

type MissingFiles = {
  readonly tenant: string | null;
  readonly what: string;
  readonly documents: readonly string[];
};

type Month = {
  readonly tenant: string;
  readonly what: string;
  readonly documents: string[];
  count: number;
  last: string;
};

/** Of one month; the rest has the same cause. */
const MOST_DOCUMENTS = 10;

/**
 * Looks for the files that have left the database in the manifests of the archive, and says by month which are missing. Without a
 * folder all of them are.
 */
export async function missingFromArchive(
  bytes: Pick<StoredBytes, 'archivedFiles'>,
  folder: ArchiveFolder | null,
): Promise<readonly MissingFiles[]> {
  const missing = await unlessDamaged(missingByMonth(bytes, folder));
  if (missing === null) return [named('whether the archive has all files cannot be read')];
  const found = missing.map(({ tenant, what, count, documents }) => ({
    tenant,
    what: `archive ${what}: files of ${counted(count, 'document')} are missing`,
    documents,
  }));
  if (folder !== null || found.length === 0) return found;
  return [named('ARCHIVE_DIR is not set, but documents are archived'), ...found];
}

function named(what: string): MissingFiles {
  return { tenant: null, what, documents: [] };
}

async function missingByMonth(
  bytes: Pick<StoredBytes, 'archivedFiles'>,
  folder: ArchiveFolder | null,
): Promise<readonly Month[]> {
  const isInArchive = folder === null ? async () => false : archiveIndex(folder);
  const missing = new Map<string, Month>();
  for (const side of ARCHIVE_SIDES) {
    for await (const file of archivedFiles(bytes, side)) {
      if (!(await isInArchive(file))) add(missing, file);
    }
  }
  return [...missing.values()];
}

async function* archivedFiles(bytes: Pick<StoredBytes, 'archivedFiles'>, side: ArchiveSide) {
  let after: ArchivedPlace | null = null;
  for (;;) {
    const page: Awaited<ReturnType<StoredBytes['archivedFiles']>> = await bytes.archivedFiles(side, after);
    yield* page.files;
    if (page.last === null) return;
    after = page.last;
  }
}

/** The files of a document come one after the other. */
function add(missing: Map<string, Month>, file: ArchivedReference): void {
  const what = `${file.tenant}/${monthOf(file)}/${file.side}`;
  const month = missing.get(what) ?? { tenant: file.tenant, what, documents: [], count: 0, last: '' };
  missing.set(what, month);
  if (month.last === file.id) return;
  month.last = file.id;
  month.count += 1;
  if (month.documents.length < MOST_DOCUMENTS) month.documents.push(file.id);
}
