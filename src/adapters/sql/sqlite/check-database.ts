import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '../../../application/errors/operator-error.ts';
import type { BackupProgress, Inventory } from '../../../application/ports/backup.ts';
import { isPayloadDamaged, type PayloadChecksum } from '../stores/outbound/delivery-payload.ts';
import { unreadableDatabase } from './exclusive-connection.ts';
import { environmentOn } from './read-environment.ts';

/**
 * Checks a copy of an embedded database completely: its structure, its foreign keys, and every file and payload against its
 * SHA-256. Switches it out of WAL mode, so that it is a single file.
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
    checkPayloads(connection, path);
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

function checkPayloads(connection: DatabaseSync, path: string): void {
  // A backup of an earlier version has no checksums of payloads.
  const columns = connection.prepare("select name from pragma_table_info('outbound_payload')").all();
  if (!columns.some(({ name }) => name === 'text_sha256')) return;
  const payloads = connection.prepare(
    'select doc_uid, doc_type_code, doc_number, doc_date, doc_id, text, text_sha256 from outbound_payload',
  );
  for (const row of payloads.iterate()) {
    const payload = row as PayloadChecksum & { readonly doc_uid: string };
    if (isPayloadDamaged(payload)) throw damaged(path, `the payload of ${payload.doc_uid} does not match its checksum`);
  }
}

function count(connection: DatabaseSync, table: string): number {
  return Number(connection.prepare(`select count(*) as count from ${table}`).get()?.['count']);
}

function damaged(path: string, what: string): OperatorError {
  return new OperatorError('refused', `${path} is damaged: ${what}.`);
}
