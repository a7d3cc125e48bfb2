import { unlessDamaged } from '../errors/damage.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { verifyArchive } from '../maintenance/verify-archive.ts';
import type { ArchiveFolder } from '../ports/archive-folder.ts';
import type { ReadBytes, StoredBytes } from '../ports/recovery/stored-bytes.ts';
import { missingFromArchive } from './check-archived-files.ts';
import { type Reading, readThrough } from './read-through.ts';

export type CheckStep = {
  readonly what: 'files' | 'payloads' | 'volumes';
  readonly done: number;
  readonly total: number;
};

/** One thing that is damaged: which, and the documents that it belongs to. */
export type FoundDamage = {
  readonly tenant: string | null;
  readonly what: string;
  readonly documents: readonly string[];
};

export type BytesCheck = {
  readonly files: number;
  readonly payloads: number;
  readonly volumes: number;
  readonly damage: readonly FoundDamage[];
};

export type CheckStoredBytes = (progress: (step: CheckStep) => void) => Promise<BytesCheck>;

type Needs = {
  readonly bytes: StoredBytes;
  /** Without a folder where the service has no archive; null for a copy of the database, to which no archive belongs. */
  readonly archive: { readonly folder: ArchiveFolder | null } | null;
};

/** Of one file; the rest has the same cause. */
const MOST_DOCUMENTS = 10;
const MOST_WITHOUT_FILE = 1_000;

/**
 * Reads everything that has a checksum, in the database and in the archive, and says what is damaged. What the engine cannot read is
 * named, and the rest is read all the same. Changes nothing.
 */
export function checkStoredBytes({ bytes, archive }: Needs): CheckStoredBytes {
  return async (progress) => {
    const damage: FoundDamage[] = [];
    const unreadable = (what: string) => damage.push(unread(what));
    const problems = await unlessDamaged(bytes.structure());
    for (const problem of problems ?? []) damage.push({ tenant: null, what: problem, documents: [] });
    if (problems === null) unreadable('the structure of the database');
    const total = (await unlessDamaged(bytes.count())) ?? { files: 0, payloads: 0 };
    const files = await readThrough({
      read: bytes.files,
      async each({ tenant, key, isDamaged }, done) {
        progress({ what: 'files', done, total: Math.max(done, total.files) });
        if (!isDamaged) return;
        const found = (await unlessDamaged(bytes.documentsOf(tenant, key, MOST_DOCUMENTS + 1))) ?? [];
        const what = found.length > MOST_DOCUMENTS ? `file ${key}, also of more documents` : `file ${key}`;
        damage.push({ tenant, what, documents: found.slice(0, MOST_DOCUMENTS) });
      },
    });
    if (files.gap !== null) unreadable(`the list of files, ${between(files.gap)},`);
    const payloads = await readThrough({
      read: bytes.payloads,
      async each({ tenant, key, isDamaged }, done) {
        progress({ what: 'payloads', done, total: Math.max(done, total.payloads) });
        if (isDamaged) damage.push({ tenant, what: 'payload', documents: [key] });
      },
    });
    if (payloads.gap !== null) unreadable(`the list of payloads, ${between(payloads.gap)},`);
    damage.push(...(await missingFiles(bytes)));
    const volumes = await checkArchive({ bytes, archive }, damage, progress).catch((error: unknown) => {
      // An archive that cannot be read must not hide what was found in the database.
      if (!(error instanceof OperatorError)) throw error;
      damage.push({ tenant: null, what: error.message, documents: [] });
      return 0;
    });
    return { files: files.done, payloads: payloads.done, volumes, damage };
  };
}

async function missingFiles(bytes: StoredBytes): Promise<readonly FoundDamage[]> {
  const found = await unlessDamaged(bytes.withoutFile(MOST_WITHOUT_FILE + 1));
  if (found === null) return [unread('whether a file is missing')];
  const named = found
    .slice(0, MOST_WITHOUT_FILE)
    .map(({ tenant, docUid }) => ({ tenant, what: 'file is missing', documents: [docUid] }));
  if (found.length === named.length) return named;
  return [...named, { tenant: null, what: 'files of more documents are missing', documents: [] }];
}

function unread(what: string): FoundDamage {
  return { tenant: null, what: `${what} cannot be read`, documents: [] };
}

function between({ after, before }: NonNullable<Reading['gap']>): string {
  const named = (one: ReadBytes | null, end: string) => (one === null ? end : `${one.tenant} ${one.key}`);
  return `from ${named(after, 'its beginning')} to ${named(before, 'its end')}`;
}

async function checkArchive(
  { bytes, archive }: Needs,
  damage: FoundDamage[],
  progress: (step: CheckStep) => void,
): Promise<number> {
  if (archive === null) return 0;
  const { folder } = archive;
  damage.push(...(await missingFromArchive(bytes, folder)));
  if (folder === null || (await folder.volumes()).length === 0) return 0;
  const { volumes } = await verifyArchive(folder, (done, total) => progress({ what: 'volumes', done, total }));
  for (const { volume, damage: found } of volumes) {
    for (const what of found) damage.push({ tenant: null, what: `archive ${volume}: ${what}`, documents: [] });
  }
  return volumes.length;
}
