import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../../application/errors/operator-error.ts';
import type { BackupFiles, BackupProgress } from '../../../application/ports/backup.ts';
import type { Platform } from '../../../application/ports/platform.ts';
import { flushToDisk } from '../../platform/flush-to-disk.ts';
import { hasDatabase, makePrivate, makePrivateFolder } from '../../platform/private-files.ts';
import { migrate } from '../migrate.ts';
import { auditStore } from '../stores/audit/audit-store.ts';
import { deliveryHoldStore } from '../stores/recovery/delivery-hold-store.ts';
import { asFile } from './connection.ts';
import { lockDraft } from './exclusive-connection.ts';
import { explained, openFailure } from './failure.ts';
import { openCopy } from './open-copy.ts';
import { openSqlite } from './open-sqlite.ts';
import { accessOfFile, environmentOfFile, isRestored, queuedAgain } from './read-environment.ts';
import { replaceDatabase } from './replace-database.ts';

const MIB = 1_048_576;
/** At 4 KiB a page: 4 MiB between two reports of progress. */
const PAGES_PER_STEP = 1_024;

/** What is beside a database by its name, or may come there. */
const NAMES_BESIDE = ['-wal', '-shm', '-journal', '-room'];

type Needs = Pick<Platform, 'clock' | 'timers'>;

/** The embedded database at a path, and its backups. */
export function sqliteBackupFiles(database: string, { clock, timers }: Needs): BackupFiles {
  return {
    exists: existsSync,
    lock(draft) {
      // That of a backup is not made: a disk may not be mounted.
      if (dirname(draft) === dirname(database)) makePrivateFolder(dirname(database));
      return lockDraft(draft);
    },
    copyLive: (draft, progress) => copyLive(database, draft, progress),
    copyFile,
    openCopy,
    liveEnvironment: () => environmentOfFile(database),
    access: accessOfFile,
    queuedAgain,
    isRestored,
    async record(draft, entry, hold) {
      const engine = openSqlite(draft, timers);
      try {
        await migrate(engine, timers, clock.now());
        await engine.transaction(async (sql) => {
          await auditStore(sql).append([entry]);
          await deliveryHoldStore(sql).set(hold);
        });
      } finally {
        await engine.close();
      }
      await requireWhole(draft);
    },
    async publish(draft, file) {
      await flushToDisk(draft);
      const sha256 = await sha256Of(draft);
      // The format of sha256sum, which can check it.
      await rm(`${file}.sha256`, { force: true });
      await writeFile(`${file}.sha256`, `${sha256}  ${basename(file)}\n`, { mode: 0o600, flag: 'wx', flush: true });
      await rename(draft, file);
      await flushToDisk(dirname(file));
      return { sha256, bytes: (await stat(file)).size };
    },
    async checksum(file) {
      if (!existsSync(`${file}.sha256`)) return null;
      return (await readFile(`${file}.sha256`, 'utf8')).trim().split(/\s/u)[0]?.toLowerCase() ?? '';
    },
    // Of the folder, since the draft need not be there.
    isDraft: async (file, draft) => (await realpath(file)) === join(await realpath(dirname(draft)), basename(draft)),
    async logBeside(file) {
      // That of a link is beside what it leads to.
      const log = `${await realpath(file)}-wal`;
      return existsSync(log) && (await stat(log)).size > 0 ? log : null;
    },
    async install(draft) {
      await flushToDisk(draft);
      for (const suffix of ['', '-wal', '-shm', '-journal']) makePrivate(`${database}${suffix}`);
      const setAside = await replaceDatabase(database, clock.now(), () => rename(draft, database));
      await flushToDisk(dirname(database));
      return { setAside };
    },
    remove: removeDraft,
  };
}

async function copyLive(database: string, draft: string, progress: BackupProgress): Promise<void> {
  if (!hasDatabase(database)) throw new OperatorError('not-found', `There is no database ${database}.`);
  await refuseNameOfLog(database, draft);
  await createEmpty(draft);
  let connection: DatabaseSync | null = null;
  try {
    connection = new DatabaseSync(database, { timeout: 5_000 });
    // A single read transaction for the whole copy: later writes are not part of it, and do not make SQLite start it again.
    connection.exec('pragma query_only = on; begin');
    const [table] = connection.prepare("select 1 from sqlite_schema where name = 'schema_migration'").all();
    if (table === undefined) throw new Error('it has no tables. Is it the right one?');
    await backup(connection, asFile(draft), {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => {
        const done = totalPages - remainingPages;
        progress({ act: 'copying', what: 'database', done, total: totalPages, unit: 'pages' });
      },
    });
    connection.exec('commit');
  } catch (error) {
    throw notCopied(database, draft, explained(openFailure(database, error)));
  } finally {
    connection?.close();
  }
}

/** SQLite would write over the backup, and what looks for room on the disk would remove it. */
async function refuseNameOfLog(database: string, draft: string): Promise<void> {
  const name = join(await realpath(dirname(draft)), basename(draft));
  const beside = await realpath(database);
  const taken = NAMES_BESIDE.find((suffix) => name.startsWith(`${beside}${suffix}`));
  if (taken === undefined) return;
  throw new OperatorError(
    'refused',
    `A backup beside the database whose name begins with ${basename(database)}${taken} would be taken for a part of it. Take another name.`,
  );
}

async function copyFile(from: string, draft: string, progress: BackupProgress): Promise<string> {
  const source = await stat(from);
  // A device may have no end.
  if (!source.isFile()) throw new OperatorError('refused', `${from} is not a file.`);
  const total = Math.ceil(source.size / MIB);
  await createEmpty(draft);
  const digest = createHash('sha256');
  await using copy = await open(draft, 'w');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(from, { highWaterMark: MIB }) as AsyncIterable<Buffer>) {
      digest.update(chunk);
      await copy.writeFile(chunk);
      bytes += chunk.length;
      progress({ act: 'copying', what: 'backup', done: Math.ceil(bytes / MIB), total, unit: 'MiB' });
    }
  } catch (error) {
    throw notCopied(from, draft, error);
  }
  return digest.digest('hex');
}

/**
 * SQLite writes its log into the file when the last connection is closed, and says nothing where it cannot: what is left of the log would
 * not come along when the file is given another name, and without it the file may be damaged.
 */
async function requireWhole(draft: string): Promise<void> {
  if (!existsSync(`${draft}-wal`)) return;
  throw new OperatorError(
    'refused',
    `${draft} could not be written to its end: its disk is full, or fails, or lets no file grow so far. Make room on the disk (df), look at the quota of the user (quota) and at the limit on the size of files (ulimit -f), and try again.`,
  );
}

/** The system does not say which disk is full. */
function notCopied(from: string, draft: string, error: unknown): OperatorError {
  const why = (error as Error).message.replace(/(?<![.?])$/u, '.');
  return new OperatorError('refused', `${from} could not be copied to ${draft}: ${why}`);
}

async function removeDraft(draft: string): Promise<void> {
  for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(`${draft}${suffix}`, { force: true });
}

/**
 * Created before it is filled, so that no other user can read it at any time. A process that was killed may have left a log beside its draft,
 * which SQLite would apply to this one.
 */
async function createEmpty(draft: string): Promise<void> {
  try {
    await removeDraft(draft);
    await writeFile(draft, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError('refused', `${draft} cannot be written: ${code ?? message}.`);
  }
}

async function sha256Of(file: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: MIB }) as AsyncIterable<Buffer>)
    digest.update(chunk);
  return digest.digest('hex');
}
