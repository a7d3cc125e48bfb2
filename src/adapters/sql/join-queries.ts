import type { Sql, SqlValue } from './engine.ts';
import { queryEach, type RowQuery } from './row-lists.ts';

type Row = readonly SqlValue[];

type Asked<Found> = {
  readonly row: Row;
  readonly resolve: (found: Found | null) => void;
  readonly reject: (error: unknown) => void;
};

/** Statements under way at the same time: while one hangs with its connection, another goes on. */
const MAX_STATEMENTS = 2;

/** Bounds how long one waits for the answers of others. */
const MAX_ROWS = 256;

/**
 * Runs a query for one row at a time. Where lists can be sent, those who ask while others wait for an answer share the next statement:
 * each sees what was committed before it asked.
 */
export function joinQueries<Found>(sql: Sql, query: RowQuery): (row: Row) => Promise<Found | null> {
  if (!sql.takesLists) return (row) => sql.get<Found>(query.text, row);
  let waiting: Asked<Found>[] = [];
  let statements = 0;

  function start(): void {
    while (statements < MAX_STATEMENTS && waiting.length > 0) {
      const asked = waiting.slice(0, MAX_ROWS);
      waiting = waiting.slice(MAX_ROWS);
      statements += 1;
      void answer(asked).then(() => {
        statements -= 1;
        start();
      });
    }
  }

  async function answer(asked: readonly Asked<Found>[]): Promise<void> {
    try {
      const rows = asked.map(({ row }) => row);
      const found = await queryEach<Found>(sql, query, rows);
      for (const [index, { resolve }] of asked.entries()) resolve(found[index] ?? null);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (row) =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject });
      start();
    });
}
