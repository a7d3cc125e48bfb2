import { DatabaseSync } from 'node:sqlite';
import { unlessDamaged } from '../../../application/errors/damage.ts';
import { OperatorError } from '../../../application/errors/operator-error.ts';
import type { OpenCopy } from '../../../application/ports/backup.ts';
import type { Sql } from '../engine.ts';
import { readEnvironment } from '../store-environment.ts';
import { type Present, storedBytes } from '../stores/recovery/stored-bytes.ts';
import { asFile } from './connection.ts';
import { unreadableDatabase } from './exclusive-connection.ts';
import { statements } from './statements.ts';

/** Opens a copy of an embedded database, and switches it out of WAL mode, so that it is a single file. `of` is the name that people know. */
export async function openCopy(path: string, of: string): Promise<OpenCopy> {
  const connection = new DatabaseSync(asFile(path));
  try {
    connection.exec('pragma journal_mode = delete');
    const sql = statements(connection);
    const { isStore, ...present } = await presentIn(sql);
    if (!isStore) throw withoutTables(of);
    return {
      bytes: storedBytes(sql, present),
      counted: async () => ({ outbound: await count(sql, 'outbound'), inbound: await count(sql, 'inbound') }),
      environment: () => unlessDamaged(readEnvironment(sql)),
      [Symbol.asyncDispose]: async () => connection.close(),
    };
  } catch (error) {
    connection.close();
    throw error instanceof OperatorError ? error : unreadableDatabase(of, error);
  }
}

function withoutTables(of: string): OperatorError {
  return new OperatorError(
    'refused',
    `${of} has no tables of Dostava: it is empty, the database of another program, or was copied without its log (-wal).`,
  );
}

/** A backup of an earlier version may be restored: its tables are updated afterwards. */
async function presentIn(sql: Sql): Promise<Present & { readonly isStore: boolean }> {
  const columnsOf = async (table: string) => {
    const rows = await sql.all<{ name: string }>('select name from pragma_table_info($1)', [table]);
    return new Set(rows.map(({ name }) => name));
  };
  const payload = await columnsOf('outbound_payload');
  const sides = { outbound: await columnsOf('outbound'), inbound: await columnsOf('inbound') };
  return {
    isStore: sides.outbound.size > 0,
    hasColumn: (side, column) => sides[side].has(column),
    hasPayloadChecksums: payload.has('text_sha256'),
  };
}

async function count(sql: Sql, table: string): Promise<number | null> {
  const row = await unlessDamaged(sql.get<{ count: number }>(`select count(*) as count from ${table}`, []));
  return row === null ? null : Number(row.count);
}
