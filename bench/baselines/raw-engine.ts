import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine, Sql, SqlValue } from '../../src/adapters/sql/engine.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { connect } from '../../src/adapters/sql/sqlite/connection.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/open-sqlite.ts';
import { statements } from '../../src/adapters/sql/sqlite/statements.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { takeOrders } from '../processes/take-orders.ts';
import { percentilesOf } from '../report/percentiles.ts';
import type { RawOrder, RawResult, StoredRow } from './raw-order.ts';

/**
 * The database alone, with the connection settings of the service: the rows of so many submissions in one transaction, into tables
 * without indexes, or the same read again and again.
 */
const SECOND_MS = 1_000;
const place = process.env['BENCH_DATABASE'] ?? '';
const isPostgres = place.startsWith('postgres');
const engine: Engine = isPostgres ? openPostgres(place, systemPlatform) : openSqlite(place, systemTimers);
const transaction = isPostgres ? engine.transaction : unpausedTransaction(place);

takeOrders<RawOrder>(
  (order) => (order.kind === 'write' ? writeMany(order) : readMany(order)),
  () => engine.close(),
);
process.send?.({});

async function writeMany({ rows, together, ms, atMost }: RawOrder & { readonly kind: 'write' }): Promise<RawResult> {
  const tables = Map.groupBy(rows, ({ table }) => table);
  for (const table of tables.keys()) await script(`create table bench_${table} as select * from ${table} where 1 = 0`);
  const inserts = [...tables.values()].map((rowsOfTable) => insertOf(rowsOfTable, together));
  try {
    const write = () =>
      transaction(async (sql) => {
        for (const [text, values] of inserts) await sql.run(text, values);
      });
    await write();
    return await repeat(write, { countsFor: together, ms, atLeast: 1, atMost });
  } finally {
    for (const table of tables.keys()) await script(`drop table bench_${table}`);
  }
}

function readMany({ reads, ms, atLeast }: RawOrder & { readonly kind: 'read' }): Promise<RawResult> {
  const read = async () => {
    for (const { text, values } of reads) await engine.all(text, values);
  };
  return repeat(read, { countsFor: 1, ms, atLeast, atMost: Number.POSITIVE_INFINITY });
}

type Times = {
  readonly countsFor: number;
  readonly ms: number;
  readonly atLeast: number;
  readonly atMost: number;
};

async function repeat(act: () => Promise<void>, { countsFor, ms, atLeast, atMost }: Times): Promise<RawResult> {
  const durations: number[] = [];
  const began = performance.now();
  const done = () => durations.length * countsFor;
  while (done() < atLeast || (performance.now() < began + ms && done() < atMost)) {
    const started = performance.now();
    await act();
    durations.push(performance.now() - started);
  }
  const count = durations.length * countsFor;
  return { count, perSecond: (count * SECOND_MS) / (performance.now() - began), ...percentilesOf(durations) };
}

/** One statement with the rows of so many submissions. */
function insertOf(rows: readonly StoredRow[], times: number): readonly [string, readonly SqlValue[]] {
  const { table, columns } = rows[0] ?? { table: '', columns: [] };
  const all = Array.from({ length: times }, () => rows).flat();
  const values = all.flatMap((row) => row.values);
  const tuples = all.map((_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`).join(', ')})`);
  return [`insert into bench_${table} (${columns.join(', ')}) values ${tuples.join(', ')}`, values];
}

/** The engine of the service pauses between commits, so that more can share the next one. */
function unpausedTransaction(path: string): Engine['transaction'] {
  const connection = connect(path);
  const sql = statements(connection);
  return async (work) => {
    connection.exec('begin immediate');
    const result = await work(sql);
    connection.exec('commit');
    return result;
  };
}

function script(text: string): Promise<void> {
  return engine.transaction((sql: Sql) => engine.script(sql, text));
}
