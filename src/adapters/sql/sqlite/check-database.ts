import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../../application/errors/operator-error.ts';
import type { BackupProgress, Inventory } from '../../../application/ports/backup.ts';
import { unreadableDatabase } from './exclusive-connection.ts';
import { environmentOn } from './read-environment.ts';

/**
 * Checks a copy of an embedded database completely: its structure, its foreign keys, and every file against the SHA-256 it is
 * stored under. Switches it out of WAL mode, so that it is a single file.
 */
export async function checkDatabase(path: string, progress: BackupProgress): Promise<Inventory> {
  const connection = open(path);
  try {
    for (const pragma of ['integrity_check', 'foreign_key_check']) {
      const damage = connection
        .prepare(`pragma ${pragma}`)
        .all()
        .find((row) => row['integrity_check'] !== 'ok');
      if (damage !== undefined) throw damaged(path, Object.values(damage).join(' '));
    }
    const files = checkContent(connection, path, progress);
    return {
      outbound: count(connection, 'outbound'),
      inbound: count(connection, 'inbound'),
      files,
      environment: await environmentOn(connection),
    };
  } catch (error) {
    throw error instanceof OperatorError ? error : unreadableDatabase(path, error);
  } finally {
    connection.close();
  }
}

function open(path: string): DatabaseSync {
  const connection = new DatabaseSync(path);
  try {
    connection.exec('pragma journal_mode = delete');
    return connection;
  } catch (error) {
    connection.close();
    throw unreadableDatabase(path, error);
  }
}

function checkContent(connection: DatabaseSync, path: string, progress: BackupProgress): number {
  const total = count(connection, 'content');
  let done = 0;
  for (const row of connection.prepare('select tenant, sha256, bytes from content').iterate()) {
    const { tenant, sha256, bytes } = row as { tenant: string; sha256: Uint8Array; bytes: Uint8Array };
    const expected = Buffer.from(sha256).toString('hex');
    if (hash('sha256', bytes) !== expected)
      throw damaged(path, `a file of ${tenant} does not match its SHA-256 ${expected}`);
    done += 1;
    progress({ act: 'checking', what: 'content', done, total, unit: 'files' });
  }
  return total;
}

function count(connection: DatabaseSync, table: string): number {
  return Number(connection.prepare(`select count(*) as count from ${table}`).get()?.['count']);
}

function damaged(path: string, what: string): OperatorError {
  return new OperatorError('refused', `${path} is damaged: ${what}.`);
}
