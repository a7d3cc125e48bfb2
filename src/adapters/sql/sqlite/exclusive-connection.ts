import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../../application/errors/operator-error.ts';
import { createPrivate, hasDatabase, makePrivateFolder } from '../../platform/private-files.ts';
import { isBusy } from './failure.ts';

const LOCK_FILE = 'archive.lock';

export class DatabaseInUse extends OperatorError {}

/**
 * Opens an embedded database with an exclusive lock. It fails while any other connection is open, even an idle one, and until it
 * is closed no other connection can read or write.
 */
export function openExclusively(path: string): DatabaseSync {
  if (!hasDatabase(path)) throw new OperatorError('not-found', `There is no database ${path}.`);
  const connection = new DatabaseSync(path, { timeout: 0 });
  try {
    connection.exec('pragma locking_mode = exclusive');
    connection.exec('begin exclusive; commit');
    return connection;
  } catch (error) {
    connection.close();
    throw isBusy(error)
      ? new DatabaseInUse('refused', `The database ${path} is in use: stop the service that runs on it.`)
      : unreadableDatabase(path, error);
  }
}

export function unreadableDatabase(path: string, error: unknown): OperatorError {
  return new OperatorError('refused', `${path} cannot be read as a database: ${(error as Error).message}.`);
}

/**
 * Keeps every other run away from an archive. The lock is one of the file system on an empty file, taken by SQLite as for a database:
 * it ends with its process, however that ends, and other machines see it where the file system shares its locks.
 */
export function lockArchive(root: string): Disposable {
  makePrivateFolder(root);
  const file = join(root, LOCK_FILE);
  // One that is there is not opened here: closing it again would give up a lock that this process may have.
  createPrivate(file);
  const connection = new DatabaseSync(file);
  try {
    // A journal on disk would stay behind when the process is killed.
    connection.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    connection.close();
    throw new OperatorError('refused', lockRefusal(root, error));
  }
  return { [Symbol.dispose]: () => connection.close() };
}

function lockRefusal(root: string, error: unknown): string {
  if (isBusy(error)) return `Another run is writing to the archive ${root}. Start this one again when that has ended.`;
  return `The archive ${root} cannot be locked with ${LOCK_FILE}: ${(error as Error).message}.`;
}
