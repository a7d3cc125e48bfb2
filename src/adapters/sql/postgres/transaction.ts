import type pg from 'pg';
import type { Sql, SqlValue } from '../engine.ts';
import { parameterValues, statementText } from './dialect.ts';
import { isUnavailable, translateCommitError, translateError } from './failure.ts';
import { statementsBy } from './statements.ts';
import { valueList } from './value-list.ts';

const TRY_LOCKS = `select name from (
    select name, pg_try_advisory_xact_lock(hashtextextended(name, 0)) as is_taken from unnest(cast($1 as text[])) as asked (name)
  ) as tried where is_taken`;

/** One transaction on one connection. */
export type PostgresTransaction = {
  readonly sql: Sql;
  /** A text of several statements. Its errors come as they are, and are not that of the transaction. */
  readonly script: (script: pg.QueryConfig) => Promise<void>;
  readonly commit: () => Promise<void>;
  /** Returns whether the connection can be used again. */
  readonly rollback: () => Promise<boolean>;
  /** The first error of the database; later ones follow from it. */
  readonly failure: () => unknown;
};

/** A statement that changes nothing. Its locks end with it where there is no transaction. */
const IS_LOOK = /^\s*select\b/iu;

const ENDED = 'The transaction has ended.';

/**
 * Statements are pipelined: each is sent without waiting for the one before, and the server runs them in that order. There are no
 * named prepared statements and no session settings, because a pooler may run the next transaction on another connection.
 *
 * What looks or locks goes together with the begin; if that failed, nobody is told what was seen without a transaction and its locks. From
 * the first statement on that may change something, all wait until the begin has succeeded: if it failed, each of them would be committed by
 * itself.
 */
export function beginTransaction(client: pg.ClientBase, beginText: string): PostgresTransaction {
  const heldLocks = new Set<string>();
  let failure: unknown = null;
  let hasEnded = false;
  let mayChange = false;

  const begun = client.query(beginText).then(
    () => true,
    (error: unknown) => {
      failure ??= error;
      return false;
    },
  );

  function requireOpen(): void {
    if (hasEnded) throw new Error(ENDED);
  }

  /** Asked for by every statement from the first that may change something, so that they stay in order. */
  async function untilBegun(): Promise<void> {
    mayChange = true;
    if (!(await begun)) throw translateError(failure);
    // Its commit waits for the begin as well, and must not be carried out without this statement.
    if (hasEnded) failure ??= new Error(ENDED);
    requireOpen();
  }

  async function query(text: string, parameters: readonly SqlValue[]): Promise<pg.QueryResult> {
    requireOpen();
    if (mayChange || !IS_LOOK.test(text)) await untilBegun();
    try {
      const result = await client.query(statementText(text), parameterValues(parameters));
      if (await begun) return result;
    } catch (error) {
      failure ??= error;
    }
    throw translateError(failure);
  }

  async function script(config: pg.QueryConfig): Promise<void> {
    requireOpen();
    await untilBegun();
    await client.query(config);
  }

  const sql: Sql = {
    ...statementsBy(query),
    snapshot: (work) => work(sql),
    lock(name) {
      if (heldLocks.has(name)) return;
      heldLocks.add(name);
      // Not awaited: later statements wait for it at the server, and fail if it fails.
      query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]).catch(() => undefined);
    },
    async tryLocks(names) {
      const { rows } = await query(TRY_LOCKS, [valueList('text', names)]);
      const taken = new Set(rows.map(({ name }) => name as string));
      for (const name of taken) heldLocks.add(name);
      return taken;
    },
  };

  async function commit(): Promise<void> {
    hasEnded = true;
    await begun;
    if (failure !== null) throw translateError(failure);
    const { command } = await client.query('commit').catch((error: unknown) => {
      failure ??= error;
      throw translateCommitError(error);
    });
    // A statement that was not awaited has failed: the server answers the commit with a rollback.
    if (command !== 'COMMIT') throw translateError(failure);
  }

  async function rollback(): Promise<boolean> {
    hasEnded = true;
    await begun;
    if (isUnavailable(failure)) return false;
    return client.query('rollback').then(
      () => true,
      () => false,
    );
  }

  return { sql, script, commit, rollback, failure: () => failure };
}
