import type pg from 'pg';
import type { Sql, SqlValue } from '../engine.ts';
import { parameterValues, statementText } from './dialect.ts';
import { isOutOfOrder, thrownFor, thrownForCommit } from './failure.ts';

/** One transaction on one connection. */
export type PostgresTransaction = {
  readonly sql: Sql;
  readonly commit: () => Promise<void>;
  /** Undoes whatever was done; returns whether the connection can be used again. */
  readonly rollback: () => Promise<boolean>;
  /** What first went wrong in the database; whatever failed afterwards failed because of it. */
  readonly failure: () => unknown;
};

/**
 * Statements are sent as they come, without waiting for the one before: the server runs them in that order. None of them is
 * prepared under a name and nothing is set beyond the transaction, so that a pooler may give the next one another server.
 */
export async function beginTransaction(client: pg.ClientBase, beginning: string): Promise<PostgresTransaction> {
  const held = new Set<string>();
  let failure: unknown = null;
  let isOver = false;

  async function query(text: string, parameters: readonly SqlValue[]): Promise<pg.QueryResult> {
    if (isOver) throw new Error('The transaction is over.');
    try {
      return await client.query(statementText(text), parameterValues(parameters));
    } catch (error) {
      failure ??= error;
      throw thrownFor(failure);
    }
  }

  const sql: Sql = {
    all: async <Row>(text: string, parameters: readonly SqlValue[]) => (await query(text, parameters)).rows as Row[],
    get: async <Row>(text: string, parameters: readonly SqlValue[]) =>
      ((await query(text, parameters)).rows[0] ?? null) as Row | null,
    run: async (text, parameters) => (await query(text, parameters)).rowCount ?? 0,
    snapshot: (work) => work(sql),
    lock(name) {
      if (held.has(name)) return;
      held.add(name);
      // What is sent after it waits at the server, and fails with it.
      query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]).catch(() => undefined);
    },
  };

  async function commit(): Promise<void> {
    isOver = true;
    if (failure !== null) throw thrownFor(failure);
    const { command } = await client.query('commit').catch((error: unknown) => {
      failure ??= error;
      throw thrownForCommit(error);
    });
    // A statement that nobody waited for has failed: the server does not commit what is left.
    if (command !== 'COMMIT') throw thrownFor(failure);
  }

  async function rollback(): Promise<boolean> {
    isOver = true;
    if (isOutOfOrder(failure)) return false;
    return client.query('rollback').then(
      () => true,
      () => false,
    );
  }

  await client.query(beginning).catch((error: unknown) => {
    failure = error;
    throw thrownFor(error);
  });
  return { sql, commit, rollback, failure: () => failure };
}
