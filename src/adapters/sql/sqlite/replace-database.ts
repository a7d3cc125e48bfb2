import { existsSync } from 'node:fs';
import { copyFile, link, rename, rm } from 'node:fs/promises';
import { backup, type DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../../application/errors/operator-error.ts';
import { flushToDisk } from '../../platform/flush-to-disk.ts';
import { createPrivate } from '../../platform/private-files.ts';
import { DatabaseInUse, openExclusively } from './exclusive-connection.ts';

const LOGS = ['-wal', '-shm', '-journal'] as const;

export function nameAside(database: string, why: 'replaced' | 'copied', now: number): string {
  return `${database}.${why}-${new Date(now).toISOString().replaceAll(/[:.]/gu, '-')}`;
}

/**
 * Puts another database in the place of one, while an exclusive lock keeps other processes out. The old one gets a second name first, so
 * that the exchange is a single renaming: whenever the process is killed, one of the two is in place. A database that cannot be read
 * any more is replaced as it is, with its log. Returns the new name of the old one, if there was one.
 */
export async function replaceDatabase(
  database: string,
  now: number,
  install: () => Promise<void>,
): Promise<string | null> {
  const renamed = nameAside(database, 'replaced', now);
  const lock = existsSync(database) ? lockDatabase(database) : null;
  const existed = existsSync(database);
  try {
    await keepAside(database, renamed, lock);
    // SQLite would apply a log that is left behind to the new database.
    for (const suffix of LOGS) await rm(`${database}${suffix}`, { force: true });
    await install();
  } finally {
    lock?.close();
  }
  return existed ? renamed : null;
}

/** All of the old one or nothing: a part would be taken for the whole, and the room that it takes is what was missing. */
async function keepAside(database: string, renamed: string, lock: DatabaseSync | null): Promise<void> {
  // Of one that could be locked everything is in the database itself; what is beside it is the empty journal of the lock. Its logs come
  // first: whenever the process is killed, what has the name of a database is whole.
  const suffixes = (lock === null ? [...LOGS, ''] : ['']).filter((suffix) => existsSync(`${database}${suffix}`));
  const draft = `${database}.replaced.part`;
  const removeDraft = async () => {
    // With the journal of a copy that was killed, which would be applied to the next.
    for (const suffix of ['', '-journal']) await rm(`${draft}${suffix}`, { force: true });
  };
  try {
    await removeDraft();
    for (const suffix of suffixes) {
      await keepUnder(`${renamed}${suffix}`, { file: `${database}${suffix}`, draft, lock });
    }
  } catch (error) {
    await removeDraft();
    for (const suffix of suffixes) await rm(`${renamed}${suffix}`, { force: true });
    throw error;
  }
}

type Kept = { readonly file: string; readonly draft: string; readonly lock: DatabaseSync | null };

/** A second name for the same bytes, or a copy where the file system has no such thing. */
async function keepUnder(name: string, { file, draft, lock }: Kept): Promise<void> {
  await link(file, name).catch(async () => {
    if (lock === null) await copyFile(file, draft);
    else await copyLocked(lock, draft, name);
    await flushToDisk(draft);
    await rename(draft, name);
  });
}

/** By the connection that has the lock: the system ends all locks of a process on a file when it closes that once, whoever opened it. */
async function copyLocked(lock: DatabaseSync, draft: string, name: string): Promise<void> {
  createPrivate(draft);
  await backup(lock, draft).catch((error: Error) => {
    throw new OperatorError('refused', `${name} could not be written: ${error.message}.`);
  });
}

function lockDatabase(database: string): DatabaseSync | null {
  let connection: DatabaseSync | null = null;
  try {
    connection = openExclusively(database);
    connection.exec('pragma journal_mode = delete');
    return connection;
  } catch (error) {
    if (error instanceof DatabaseInUse) throw error;
    // A damaged database cannot be locked, but replacing it is the purpose.
    connection?.close();
    return null;
  }
}
