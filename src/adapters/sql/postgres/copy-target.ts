import { OperatorError } from '../../../application/errors/operator-error.ts';
import type { CopySource, CopyTarget, Row, TableShape } from '../../../application/ports/database-copy.ts';
import type { Timers } from '../../../application/ports/platform.ts';
import type { Engine, Sql, SqlValue } from '../engine.ts';

/** Rows per insert. A few fixed sizes keep the number of different statement texts small, whatever the size of a batch. */
const CHUNKS = [256, 64, 16, 4, 1];

/** The server shows the connection of a killed process for a moment longer. */
const OTHER_CONNECTIONS_TIMEOUT_MS = 5_000;
const RETRY_PAUSE_MS = 100;

/** A PostgreSQL database with empty tables as the target of a copy, over a single connection. */
export function postgresCopyTarget(engine: Engine, timers: Timers): CopyTarget {
  return {
    async begin(source, now) {
      await refuseOtherConnections(engine, timers);
      await refuseDifferentTables(engine, source);
      const begun = await engine.transaction((sql) => begin(sql, source, now));
      // One that started in between has not seen that the copy is unfinished.
      await refuseOtherConnections(engine, timers);
      return begun;
    },
    async count(table) {
      const row = await engine.get<{ count: number }>(`select count(*) as count from ${table.name}`, []);
      return row?.count ?? 0;
    },
    async lastKey({ name, key }) {
      const order = key.map((column) => `${column} desc`).join(', ');
      const text = `select ${key.join(', ')} from ${name} order by ${order} limit 1`;
      const row = await engine.get<Record<string, SqlValue>>(text, []);
      return row === null ? null : key.map((column) => row[column] ?? null);
    },
    insert: (table, rows) =>
      engine.transaction(async (sql) => {
        await Promise.all(chunksOf(rows).map((chunk) => insert(sql, table, chunk)));
      }),
    range: (table, after, upTo, limit) => range(engine, table, after, upTo, limit),
    async finish(now) {
      await engine.transaction((sql) => sql.run('update store_copy set finished_at = $1', [now]));
    },
  };
}

async function begin(sql: Sql, source: CopySource, now: number): Promise<{ readonly isResumed: boolean }> {
  sql.lock('store copy');
  const copy = await sql.get<{ source: string; finished_at: number | null }>(
    'select source, finished_at from store_copy',
    [],
  );
  if (copy !== null) {
    const isFinished = copy.finished_at !== null;
    if (copy.source !== source.identity)
      throw refused(`The target holds ${isFinished ? 'a complete' : 'an unfinished'} copy of another database.`);
    if (isFinished)
      throw refused(
        'The target was filled by a copy of this database that is complete; nothing is left to do but to give the embedded database another name.',
      );
    return { isResumed: true };
  }
  // A claim of an empty target gives way to that of the source, which is copied with everything else.
  await sql.run('delete from store_environment', []);
  for (const { name } of source.tables) {
    const row = await sql.get<{ one: number }>(`select 1 as one from ${name} limit 1`, []);
    if (row !== null) throw refused(`The target is not empty: there are rows in ${name}. Take a new database.`);
  }
  await sql.run('insert into store_copy (id, source, begun_at) values (1, $1, $2)', [source.identity, now]);
  return { isResumed: false };
}

/** A service that is connected already would work on an incomplete copy; one that starts later refuses to. */
async function refuseOtherConnections(engine: Engine, timers: Timers): Promise<void> {
  const deadline = timers.elapsedMs() + OTHER_CONNECTIONS_TIMEOUT_MS;
  for (;;) {
    const row = await engine.get<{ count: number }>(
      `select count(*) as count from pg_stat_activity
       where datname = current_database() and application_name = 'dostava' and pid <> pg_backend_pid()`,
      [],
    );
    if (row?.count === 0) return;
    if (timers.elapsedMs() > deadline) {
      throw refused(
        'The target is in use: stop what runs on it, and connect to the server itself, not through a pooler.',
      );
    }
    await timers.pause(RETRY_PAUSE_MS);
  }
}

async function refuseDifferentTables(engine: Engine, source: CopySource): Promise<void> {
  const applied = await engine.all<{ version: number }>('select version from schema_migration order by version', []);
  const columns = await engine.all<{ table_name: string; column_name: string }>(
    `select relname as table_name, attname as column_name from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = (select relnamespace from pg_class where oid = to_regclass('schema_migration'))
       and attnum > 0 and not attisdropped`,
    [],
  );
  const existing = new Set(columns.map((row) => `${row.table_name}.${row.column_name}`));
  const missing = source.tables.flatMap(({ name, columns }) =>
    columns.map((column) => `${name}.${column}`).filter((column) => !existing.has(column)),
  );
  if (missing.length > 0 || applied.map(({ version }) => version).join() !== source.versions.join()) {
    throw refused(
      'Source and target do not have the same tables: run "dostava migrate" of this program on the source.',
    );
  }
}

async function range(engine: Engine, table: TableShape, after: Row | null, upTo: Row, limit: number) {
  const { name, columns, key } = table;
  const tuple = (first: number) => `(${key.map((_, index) => `$${first + index}`).join(', ')})`;
  const bounds = [`(${key.join(', ')}) <= ${tuple(1)}`];
  if (after !== null) bounds.push(`(${key.join(', ')}) > ${tuple(1 + key.length)}`);
  const rows = await engine.all<Record<string, SqlValue>>(
    `select ${columns.join(', ')} from ${name} where ${bounds.join(' and ')} order by ${key.join(', ')} limit ${limit}`,
    [...upTo, ...(after ?? [])],
  );
  return rows.map((row) => columns.map((column) => row[column] ?? null));
}

function chunksOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const chunks: (readonly Row[])[] = [];
  let taken = 0;
  for (const size of CHUNKS) {
    for (; rows.length - taken >= size; taken += size) chunks.push(rows.slice(taken, taken + size));
  }
  return chunks;
}

async function insert(sql: Sql, { name, columns }: TableShape, rows: readonly Row[]): Promise<void> {
  const placeholders = (row: number) =>
    `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`;
  const tuples = rows.map((_, row) => placeholders(row));
  await sql.run(`insert into ${name} (${columns.join(', ')}) values ${tuples.join(', ')}`, rows.flat());
}

function refused(message: string): OperatorError {
  return new OperatorError('refused', message);
}
