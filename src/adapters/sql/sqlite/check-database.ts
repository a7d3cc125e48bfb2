import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../../application/errors/operator-error.ts';
import type { BackupProgress, Inventory } from '../../../application/ports/backup.ts';
import { unreadable } from './exclusive-sqlite.ts';

/**
 * Reads a copy of an embedded database from the first byte to the last: its structure, its references, and every file against
 * the SHA-256 it is kept under. Leaves a single file without a log beside it.
 */
export function checkDatabase(path: string, progress: BackupProgress): Inventory {
  const connection = open(path);
  try {
    for (const pragma of ['integrity_check', 'foreign_key_check']) {
      const fault = connection
        .prepare(`pragma ${pragma}`)
        .all()
        .find((row) => row['integrity_check'] !== 'ok');
      if (fault !== undefined) throw damaged(path, Object.values(fault).join(' '));
    }
    const files = checkContent(connection, path, progress);
    return { outbound: count(connection, 'outbound'), inbound: count(connection, 'inbound'), files };
  } catch (error) {
    throw error instanceof OperatorError ? error : unreadable(path, error);
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
    throw unreadable(path, error);
  }
}

function checkContent(connection: DatabaseSync, path: string, progress: BackupProgress): number {
  const total = count(connection, 'content');
  let done = 0;
  for (const row of connection.prepare('select tenant, sha256, bytes from content').iterate()) {
    const { tenant, sha256, bytes } = row as { tenant: string; sha256: Uint8Array; bytes: Uint8Array };
    const said = Buffer.from(sha256).toString('hex');
    if (hash('sha256', bytes) !== said) throw damaged(path, `a file of ${tenant} is not the one of SHA-256 ${said}`);
    done += 1;
    progress({ act: 'checking', what: 'content', done, total, unit: 'files' });
  }
  return total;
}

function count(connection: DatabaseSync, table: string): number {
  return Number(connection.prepare(`select count(*) as count from ${table}`).get()?.['count']);
}

function damaged(path: string, how: string): OperatorError {
  return new OperatorError('refused', `${path} is damaged: ${how}.`);
}
