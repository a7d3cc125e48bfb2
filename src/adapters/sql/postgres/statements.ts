import type pg from 'pg';
import type { Sql, SqlValue } from '../engine.ts';

type Query = (text: string, parameters: readonly SqlValue[]) => Promise<pg.QueryResult>;

/** What is asked of a database in statements, by whatever connection they go. */
export function statementsBy(query: Query): Pick<Sql, 'all' | 'get' | 'run' | 'takesLists'> {
  return {
    all: async <Row>(text: string, parameters: readonly SqlValue[]) => (await query(text, parameters)).rows as Row[],
    get: async <Row>(text: string, parameters: readonly SqlValue[]) =>
      ((await query(text, parameters)).rows[0] ?? null) as Row | null,
    run: async (text, parameters) => (await query(text, parameters)).rowCount ?? 0,
    takesLists: true,
  };
}
