import { createHash } from 'node:crypto';
import type { Engine, SqlValue } from '../../src/adapters/sql/engine.ts';
import type { StoredRow } from './raw-order.ts';

const TABLES = `/*sqlite select name from sqlite_master where type = 'table' and name not like 'sqlite%' */
  /*postgres select tablename as name from pg_tables where schemaname = 'public' */`;

type Record = Readonly<globalThis.Record<string, SqlValue>>;

/** Which rows an act adds, in all tables: whatever a submission of this version stores is found, with no list of it here. */
export async function capturedRows(engine: Engine, act: () => Promise<void>): Promise<readonly StoredRow[]> {
  const before = new Set((await allRows(engine)).map(identity));
  await act();
  return (await allRows(engine)).filter((row) => !before.has(identity(row)));
}

async function allRows(engine: Engine): Promise<readonly StoredRow[]> {
  const rows: StoredRow[] = [];
  for (const { name } of await engine.all<{ readonly name: string }>(TABLES, [])) {
    const found = await engine.all<Record>(`select * from ${name}`, []);
    rows.push(...found.map((row) => ({ table: name, columns: Object.keys(row), values: Object.values(row) })));
  }
  return rows;
}

function identity({ table, values }: StoredRow): string {
  const hash = createHash('sha256').update(table);
  for (const value of values) hash.update(value instanceof Uint8Array ? value : JSON.stringify(value)).update('\0');
  return hash.digest('base64');
}
