import type { StatementSync } from 'node:sqlite';
import { createBoundedMap } from '../../platform/bounded-map.ts';
import type { Sql, SqlValue } from '../engine.ts';
import { type Connection, statementText } from './connection.ts';
import { translateError } from './failure.ts';

/** Far more than there are. */
const MOST_PREPARED = 1_000;

/** Runs statements on a connection, each prepared once. */
export function statements(
  connection: Connection,
  translate = translateError,
  check: () => void = () => undefined,
): Sql {
  const prepared = createBoundedMap<string, StatementSync>(MOST_PREPARED);
  function prepare(text: string): StatementSync {
    check();
    const cached = prepared.get(text);
    if (cached !== undefined) return cached;
    const statement = connection.prepare(statementText(text));
    prepared.set(text, statement);
    return statement;
  }
  const sql: Sql = {
    snapshot: (work) => work(sql),
    // The only writer runs its transactions one after the other, so there is nothing to lock.
    lock: () => undefined,
    tryLocks: async (names) => new Set(names),
    takesLists: false,
    async all<Row>(text: string, parameters: readonly SqlValue[]) {
      return translated(translate, () => prepare(text).all(...parameters)) as Row[];
    },
    async get<Row>(text: string, parameters: readonly SqlValue[]) {
      return (translated(translate, () => prepare(text).get(...parameters)) ?? null) as Row | null;
    },
    async run(text, parameters) {
      return Number(translated(translate, () => prepare(text).run(...parameters)).changes);
    },
  };
  return sql;
}

export function translated<Result>(translate: (error: unknown) => unknown, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw translate(error);
  }
}
