import { verifyArchive } from '../maintenance/verify-archive.ts';
import type { ArchiveFolder } from '../ports/archive-folder.ts';
import type { ReadBytes, StoredBytes } from '../ports/recovery/stored-bytes.ts';

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
  /** Null where the service has no archive. */
  readonly archive: ArchiveFolder | null;
};

/** Of one file; the rest has the same cause. */
const MOST_DOCUMENTS = 10;
const MOST_WITHOUT_FILE = 1_000;

/** Reads everything that has a checksum, in the database and in the archive, and says what is damaged. Changes nothing. */
export function checkStoredBytes({ bytes, archive }: Needs): CheckStoredBytes {
  return async (progress) => {
    const damage: FoundDamage[] = [];
    for (const problem of await bytes.structure()) damage.push({ tenant: null, what: problem, documents: [] });
    const total = await bytes.count();
    const files = await readAll(bytes.files, async ({ tenant, key, isDamaged }, done) => {
      progress({ what: 'files', done, total: total.files });
      if (!isDamaged) return;
      const documents = await bytes.documentsOf(tenant, key, MOST_DOCUMENTS);
      damage.push({ tenant, what: `file ${key}`, documents });
    });
    const payloads = await readAll(bytes.payloads, async ({ tenant, key, isDamaged }, done) => {
      progress({ what: 'payloads', done, total: total.payloads });
      if (isDamaged) damage.push({ tenant, what: 'payload', documents: [key] });
    });
    for (const { tenant, docUid } of await bytes.withoutFile(MOST_WITHOUT_FILE)) {
      damage.push({ tenant, what: 'file is missing', documents: [docUid] });
    }
    const volumes = await checkArchive(archive, damage, progress);
    return { files, payloads, volumes, damage };
  };
}

async function readAll(
  read: (after: ReadBytes | null) => Promise<readonly ReadBytes[]>,
  each: (one: ReadBytes, done: number) => Promise<void>,
): Promise<number> {
  let after: ReadBytes | null = null;
  let done = 0;
  for (;;) {
    const batch: readonly ReadBytes[] = await read(after);
    for (const one of batch) {
      done += 1;
      await each(one, done);
      after = one;
    }
    if (batch.length === 0) return done;
  }
}

async function checkArchive(
  archive: ArchiveFolder | null,
  damage: FoundDamage[],
  progress: (step: CheckStep) => void,
): Promise<number> {
  if (archive === null || (await archive.volumes()).length === 0) return 0;
  const { volumes } = await verifyArchive(archive, (done, total) => progress({ what: 'volumes', done, total }));
  for (const { volume, damage: found } of volumes) {
    for (const what of found) damage.push({ tenant: null, what: `archive ${volume}: ${what}`, documents: [] });
  }
  return volumes.length;
}
