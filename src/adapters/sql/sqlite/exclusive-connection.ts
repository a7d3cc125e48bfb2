import { accessSync, constants, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../../application/errors/operator-error.ts';
import { createPrivate, hasDatabase, makePrivateFolder } from '../../platform/private-files.ts';
import { asFile } from './connection.ts';
import { isBusy } from './failure.ts';

const LOCK_FILE = 'archive.lock';

/** SQLite says the same of both. */
const HELD_ADVICE =
  '. Start this one again when that has ended; where there is none, the file system has no locks, and another one is to be taken';

export class DatabaseInUse extends OperatorError {}

class LockFileReplaced extends Error {}

/**
 * Opens an embedded database with an exclusive lock. It fails while any other connection is open, even an idle one, and until it
 * is closed no other connection can read or write.
 */
export function openExclusively(path: string): DatabaseSync {
  if (!hasDatabase(path)) throw new OperatorError('not-found', `There is no database ${path}.`);
  const connection = new DatabaseSync(asFile(path), { timeout: 0 });
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

/** Keeps every other run away from an archive, on other machines too where the file system shares its locks. */
export function lockArchive(root: string): Disposable {
  makePrivateFolder(root);
  const connection = lockWith(join(root, LOCK_FILE), {
    held: `Another run is writing to the archive ${root}`,
    failed: `The archive ${root} cannot be locked with ${LOCK_FILE}`,
  });
  return { [Symbol.dispose]: () => connection.close() };
}

/** Keeps every other run away from an unfinished file: each would remove what the other has written, and finish the other's. */
export function lockDraft(draft: string): Disposable {
  const file = `${draft}.lock`;
  const connection = lockWith(file, {
    held: `Another run is writing ${draft}`,
    failed: `${draft} cannot be written`,
  });
  return {
    [Symbol.dispose]() {
      // Before the lock ends: afterwards the file may be another's.
      rmSync(file, { force: true });
      connection.close();
    },
  };
}

/**
 * The lock is one of the file system on an empty file, taken by SQLite as for a database: it ends with its process, however that ends.
 */
function lockWith(file: string, refusals: { readonly held: string; readonly failed: string }): DatabaseSync {
  let connection: DatabaseSync | null = null;
  try {
    // One that is there is not opened here: closing it again would give up a lock that this process may have.
    createPrivate(file);
    // One that may not be written would be opened for reading, and nothing be locked.
    accessSync(file, constants.W_OK);
    const { ino } = statSync(file);
    connection = new DatabaseSync(asFile(file));
    // A journal on disk would stay behind when the process is killed.
    connection.exec('pragma journal_mode = memory; begin exclusive');
    // The former run may have removed it since: on one that has no name any more nobody else would find the lock.
    if (statSync(file, { throwIfNoEntry: false })?.ino !== ino) throw new LockFileReplaced();
    return connection;
  } catch (error) {
    connection?.close();
    const why =
      isBusy(error) || error instanceof LockFileReplaced
        ? `${refusals.held}${HELD_ADVICE}`
        : `${refusals.failed}: ${(error as Error).message}`;
    throw new OperatorError('refused', `${why}.`);
  }
}
