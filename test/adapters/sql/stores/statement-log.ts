import assert from 'node:assert/strict';
import type { Engine, Sql, SqlValue } from '../../../../src/adapters/sql/engine.ts';

export type Statement = { readonly text: string; readonly parameters: readonly SqlValue[]; readonly rows: number };

/** An engine that remembers every statement it was given, inside transactions and outside. */
export function logStatements(engine: Engine): { readonly engine: Engine; readonly take: () => readonly Statement[] } {
  let statements: Statement[] = [];
  function logged(sql: Sql): Sql {
    return {
      async all<Row>(text: string, parameters: readonly SqlValue[]) {
        const rows = await sql.all<Row>(text, parameters);
        statements.push({ text, parameters, rows: rows.length });
        return rows;
      },
      async get<Row>(text: string, parameters: readonly SqlValue[]) {
        const row = await sql.get<Row>(text, parameters);
        statements.push({ text, parameters, rows: row === null ? 0 : 1 });
        return row;
      },
      async run(text, parameters) {
        const changed = await sql.run(text, parameters);
        statements.push({ text, parameters, rows: changed });
        return changed;
      },
      lock: sql.lock,
      tryLocks: sql.tryLocks,
      takesLists: sql.takesLists,
      snapshot: (work) => sql.snapshot((moment) => work(logged(moment))),
    };
  }
  return {
    engine: { ...engine, ...logged(engine), transaction: (work) => engine.transaction((sql) => work(logged(sql))) },
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
  };
}

/** Asserts that SQLite finds what a statement wants by an index, without reading any table from end to end. */
export async function assertNothingIsScanned(engine: Engine, { text, parameters }: Statement): Promise<void> {
  const tables = await engine.all<{ name: string }>("select name from sqlite_master where type = 'table'", []);
  const plan = await engine.all<{ detail: string }>(`explain query plan ${text}`, parameters);
  // Looked for by time alone, a document in a rare state would be as far away as the list is long.
  const usesState = plan.some(({ detail }) => detail.includes('state=?'));
  assert.ok(usesState || !/^select .*state = \$/su.test(text), `the state is not part of the search in: ${text}`);
  for (const { detail } of plan) {
    const [, scanned] = /^SCAN (\w+)/u.exec(detail) ?? [];
    assert.ok(!tables.some(({ name }) => name === scanned), `${detail}\nin: ${text}`);
    assert.doesNotMatch(detail, /AUTOMATIC/u, `an index is made for this statement alone: ${text}`);
  }
}
