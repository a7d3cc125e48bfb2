import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { DatabaseInUse, openExclusively } from './exclusive-sqlite.ts';

/**
 * Moves a database out of the way, together with its log, and lets another take its place while nobody can open it. One that
 * cannot be read any more is moved as it is. Returns where it is now.
 */
export async function setAside(database: string, now: number, replace: () => Promise<void>): Promise<string | null> {
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/gu, '-');
  const aside = `${database}.replaced-${stamp}`;
  const held = existsSync(database) ? hold(database) : null;
  const wasThere = existsSync(database);
  try {
    // A log that stays behind would be taken for the new database's.
    for (const suffix of ['', '-wal', '-shm', '-journal']) {
      if (existsSync(`${database}${suffix}`)) await rename(`${database}${suffix}`, `${aside}${suffix}`);
    }
    await replace();
  } finally {
    held?.close();
  }
  return wasThere ? aside : null;
}

function hold(database: string): DatabaseSync | null {
  let connection: DatabaseSync | null = null;
  try {
    connection = openExclusively(database);
    connection.exec('pragma journal_mode = delete');
    return connection;
  } catch (error) {
    if (error instanceof DatabaseInUse) throw error;
    // What is damaged is the very thing to be replaced.
    connection?.close();
    return null;
  }
}
