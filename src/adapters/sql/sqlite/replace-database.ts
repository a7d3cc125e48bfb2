import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { DatabaseInUse, openExclusively } from './exclusive-connection.ts';

/**
 * Renames a database together with its write-ahead log and installs another in its place, while an exclusive lock keeps other
 * processes out. A database that cannot be read any more is renamed as it is. Returns the new name of the old one, if there was one.
 */
export async function replaceDatabase(
  database: string,
  now: number,
  install: () => Promise<void>,
): Promise<string | null> {
  const timestamp = new Date(now).toISOString().replaceAll(/[:.]/gu, '-');
  const renamed = `${database}.replaced-${timestamp}`;
  const lock = existsSync(database) ? lockDatabase(database) : null;
  const existed = existsSync(database);
  try {
    // SQLite would apply a log that is left behind to the new database.
    for (const suffix of ['', '-wal', '-shm', '-journal']) {
      if (existsSync(`${database}${suffix}`)) await rename(`${database}${suffix}`, `${renamed}${suffix}`);
    }
    await install();
  } finally {
    lock?.close();
  }
  return existed ? renamed : null;
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
