import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../../application/errors/operator-error.ts';
import { isBusy } from './failure.ts';

export class DatabaseInUse extends OperatorError {}

/**
 * Opens an embedded database with an exclusive lock. It fails while any other connection is open, even an idle one, and until it
 * is closed no other connection can read or write.
 */
export function openExclusively(path: string): DatabaseSync {
  if (!existsSync(path)) throw new OperatorError('not-found', `There is no database ${path}.`);
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
