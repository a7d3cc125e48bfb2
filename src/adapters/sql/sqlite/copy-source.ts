import { hash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { OperatorError } from '../../../application/errors/operator-error.ts';
import type { CopySource, Row, TableShape, Value } from '../../../application/ports/database-copy.ts';
import { flushToDisk } from '../../platform/flush-to-disk.ts';
import { openExclusively, unreadableDatabase } from './exclusive-connection.ts';
import { environmentOn } from './read-environment.ts';
import { nameAside } from './replace-database.ts';
import { contentTables } from './table-order.ts';

const BATCH_ROWS = 512;
const BATCH_BYTES = 4 * 1_048_576;

/** An embedded database as the source of a copy, locked exclusively until it is closed. */
export async function openCopySource(path: string): Promise<CopySource & { readonly close: () => void }> {
  const connection = openExclusively(path);
  try {
    const { identity, versions } = identify(connection, path);
    const statements = new Map<string, StatementSync>();

    function statement(text: string): StatementSync {
      const prepared = statements.get(text) ?? connection.prepare(text);
      prepared.setReturnArrays(true);
      statements.set(text, prepared);
      return prepared;
    }

    return {
      identity,
      versions,
      environment: await environmentOn(connection),
      tables: contentTables(connection),
      count: (table) =>
        reading(path, () => {
          const [count] = statement(`select count(*) from ${table.name}`).get() as unknown as [number];
          return count;
        }),
      batch: (table, after) =>
        reading(path, () => {
          const rows = statement(batchText(table, after)).iterate(...(after ?? [])) as Iterable<unknown>;
          return bounded(rows as Iterable<Row>);
        }),
      setAside: (now) => setAside(connection, path, now),
      close: () => connection.close(),
    };
  } catch (error) {
    connection.close();
    throw error instanceof OperatorError ? error : unreadableDatabase(path, error);
  }
}

/** Under the lock: whoever waits for the file does not find it afterwards. */
async function setAside(connection: DatabaseSync, path: string, now: number): Promise<string> {
  const renamed = nameAside(path, 'copied', now);
  try {
    // A log would keep the former name.
    connection.exec('pragma journal_mode = delete');
    await rename(path, renamed);
    await flushToDisk(dirname(path));
    return renamed;
  } catch (error) {
    throw new OperatorError(
      'refused',
      `The copy is complete, but ${path} could not be given another name: ${(error as Error).message}. Do so before a service starts: one that found it would deliver the same documents.`,
    );
  }
}

/** SQLite names no file, and damage of its pages is found only where they are read. */
function reading<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new OperatorError(
      'refused',
      `${path} cannot be copied: ${(error as Error).message}. Run "dostava check" with its folder as DATA_DIR and without DATABASE_URL: it names what cannot be read. Restore a backup, and copy that.`,
    );
  }
}

/** Derived from the times of its migrations and its first tenant: unique to a database, and the same wherever its file is moved. */
function identify(connection: DatabaseSync, path: string) {
  const text = 'select version, name, applied_at from schema_migration order by version';
  const rows = connection.prepare(text).all() as { version: number; name: string; applied_at: number }[];
  const copies = connection.prepare("select 1 from sqlite_schema where name = 'store_copy'").all();
  if (rows.length === 0 || copies.length === 0) {
    throw new OperatorError(
      'refused',
      `The tables of ${path} are older than this program: run "dostava migrate" on it.`,
    );
  }
  const first = connection.prepare('select edb, created_at from tenant order by created_at, edb limit 1').all();
  return { identity: hash('sha256', JSON.stringify([rows, first])), versions: rows.map(({ version }) => version) };
}

function batchText({ name, columns, key }: TableShape, after: Row | null): string {
  const condition = after === null ? '' : `where (${key.join(', ')}) > (${key.map(() => '?').join(', ')})`;
  return `select ${columns.join(', ')} from ${name} ${condition} order by ${key.join(', ')} limit ${BATCH_ROWS}`;
}

function bounded(rows: Iterable<Row>): readonly Row[] {
  const batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const values = row.map(portable);
    batch.push(values);
    bytes += values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
    if (bytes >= BATCH_BYTES) break;
  }
  return batch;
}

/** PostgreSQL cannot store U+0000 in text; it is replaced as in every parameter sent there, so that both databases compare equal. */
function portable(value: Value): Value {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

function sizeOf(value: Value): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
}
