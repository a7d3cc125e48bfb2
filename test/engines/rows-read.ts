import assert from 'node:assert/strict';
import type { Engine, Sql } from '../../src/adapters/sql/engine.ts';

/** What the transaction has read of tables on PostgreSQL so far, by whichever way. */
const READ = `select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) as rows from pg_stat_xact_user_tables`;

/** Has the planner know how many rows there are, as of tables that have been there for long. */
export async function knowSizes(engine: Engine): Promise<void> {
  await engine.transaction((sql) => sql.run('analyze', []));
}

/** Runs the work in one transaction on PostgreSQL, in which no statement may read more rows than these. */
export function readingAtMost<Result>(
  engine: Engine,
  mostRows: number,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return engine.transaction(async (sql) => {
    // A table of a test is small enough to be read as a whole, one of years is not.
    for (const way of ['seqscan', 'hashjoin', 'mergejoin']) await sql.run(`set local enable_${way} = off`, []);
    const rows = async () => Number((await sql.get<{ readonly rows: number }>(READ, []))?.rows);
    async function measured<Found>(text: string, statement: () => Promise<Found>): Promise<Found> {
      const already = await rows();
      const found = await statement();
      const read = (await rows()) - already;
      assert.ok(read <= mostRows, `${read} rows were read by one statement: ${text}`);
      return found;
    }
    return work({
      ...sql,
      all: (text, parameters) => measured(text, () => sql.all(text, parameters)),
      get: (text, parameters) => measured(text, () => sql.get(text, parameters)),
    });
  });
}
