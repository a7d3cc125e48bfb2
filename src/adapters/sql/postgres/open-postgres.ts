import pg from 'pg';
import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';
import type { Platform } from '../../../application/ports/platform.ts';
import { randomFraction } from '../../../domain/values/random-values.ts';
import { type Engine, LockNotFree, type Sql, type SqlValue } from '../engine.ts';
import { ignoreBreak, newConnection, returnConnection, runStatement, takeConnection } from './connection.ts';
import { migrationText, parameterValues, statementText, types } from './dialect.ts';
import { isConflict, isLockTimeout, translateError } from './failure.ts';
import { buildIndexesOf, completeIndexes } from './large-indexes.ts';
import { statementsBy } from './statements.ts';
import { beginTransaction, type PostgresTransaction } from './transaction.ts';

type Needs = Pick<Platform, 'timers' | 'random'>;

export type PostgresOptions = {
  /** Connections of this process at most; further work waits for a free one. */
  readonly poolSize?: number;
  /** How long to wait for a connection, whether a new one or one that is returned to the pool. */
  readonly connectMs?: number;
  /** How long a statement may take, waiting for locks included, and how long a transaction may be idle. */
  readonly statementMs?: number;
  /** Makes the pool of connections: one whose connections a test stands behind, for instance. */
  readonly createPool?: (settings: pg.PoolConfig) => pg.Pool;
};

const POOL_SIZE = 10;
const CONNECT_MS = 10_000;
const STATEMENT_MS = 15_000;
/** The server cancels a statement after its timeout; when it has not done so this much later, the driver gives it up. */
const GRACE_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
const IDLE_MS = 60_000;
/** For migrations, which may take any time. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** How often a transaction is run after conflicts with others before the caller gets ServiceUnavailable. */
const MAX_TRIES = 6;
const MAX_PAUSE_MS = 25;

/** Not that of the transaction: behind a pooler a statement may have waited. */
const SERVER_TIME = 'select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now';

/**
 * Where the server answers a commit before it is on disk, it must not do so with ours. What standbys have by then stays the operator's
 * choice: every other value waits for the disk of the server itself.
 */
const ON_DISK = `select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'`;

/** Without the first, nothing is flushed; without the other, a page that was written in part cannot be repaired. */
const UNSAFE_SETTINGS = `select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off' order by name`;

/** A PostgreSQL server, directly or through a pooler in transaction mode. Connections are opened when they are needed. */
export function openPostgres(url: string, needs: Needs, options: PostgresOptions = {}): Engine {
  const { statementMs = STATEMENT_MS } = options;
  const pool = openPool(url, statementMs, options);
  const transactions = new WeakMap<Sql, PostgresTransaction>();
  // Set at the begin of every transaction, because behind a pooler a setting of the connection does not outlive a transaction.
  const limits = `set local statement_timeout = ${statementMs}; set local idle_in_transaction_session_timeout = ${statementMs}`;
  const reading = `begin isolation level repeatable read read only; ${limits}`;
  const writing = `begin isolation level read committed; ${limits}; ${ON_DISK}`;

  async function runTransaction<Result>(begin: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const client = await takeConnection(pool);
    const transaction = beginTransaction(client, begin);
    transactions.set(transaction.sql, transaction);
    let isReusable = true;
    try {
      const result = await work(transaction.sql);
      await transaction.commit();
      return result;
    } catch (error) {
      isReusable = await transaction.rollback();
      throw conflictOr(error, transaction.failure());
    } finally {
      returnConnection(client, isReusable);
    }
  }

  async function query(text: string, parameters: readonly SqlValue[]): Promise<pg.QueryResult> {
    const values = parameterValues(parameters);
    return withRetries(needs, () =>
      runStatement(pool, statementText(text), values).catch((error: unknown) => {
        throw conflictOr(error, error);
      }),
    );
  }

  const unlimitedQuery = (text: string) => runStatement(pool, unlimited(text));

  return {
    ...statementsBy(query),
    lock: () => undefined,
    tryLocks: async (names) => new Set(names),
    snapshot: (work) => withRetries(needs, () => runTransaction(reading, work)),
    transaction: (work) => withRetries(needs, () => runTransaction(writing, work)),
    storeGroup: async () => null,
    hasOneWriter: false,
    async runLargeWrite(text, parameters) {
      // It is on disk when the transaction that refers to it is, at the latest: the server writes its log in order.
      await query(text, parameters);
    },
    async script(sql, text) {
      const transaction = transactions.get(sql);
      if (transaction === undefined) throw new Error('A script must run within a transaction.');
      await transaction.script(unlimited(migrationText(text))).catch((error: unknown) => {
        throw isLockTimeout(error) || isConflict(error)
          ? new LockNotFree('A table is in use.', { cause: error })
          : translateError(error);
      });
    },
    afterMigration: (version, onStep = () => undefined) => buildIndexesOf(version, unlimitedQuery, onStep),
    afterMigrations: () => completeIndexes(needs.timers, unlimitedQuery),
    async serverTime() {
      const { rows } = await query(SERVER_TIME, []);
      return rows[0].now;
    },
    async unsafeSettings() {
      const { rows } = await query(UNSAFE_SETTINGS, []);
      return rows.map(({ name }) => name);
    },
    connections: () => ({
      idle: pool.idleCount,
      busy: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
      limit: pool.options.max,
    }),
    close: () => pool.end(),
  };
}

function unlimited(text: string): pg.QueryConfig & { query_timeout: number } {
  return { text, query_timeout: NO_TIMEOUT_MS };
}

function openPool(
  url: string,
  statementMs: number,
  { poolSize = POOL_SIZE, connectMs = CONNECT_MS, createPool = (settings) => new pg.Pool(settings) }: PostgresOptions,
): pg.Pool {
  const pool = createPool({
    connectionString: url,
    // The pool calls it with `new`, which gives what a function returns.
    Client: newConnection as unknown as new () => pg.ClientBase,
    application_name: 'dostava',
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: IDLE_MS,
    query_timeout: statementMs + GRACE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    pipeline: true,
    types,
  });
  // An idle connection that breaks is removed from the pool; the next statement gets another one.
  pool.on('error', ignoreBreak);
  return pool;
}

/** The server rolled this transaction, or single statement, back because it conflicted with another. */
class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict';
}

function conflictOr(error: unknown, failure: unknown): unknown {
  return isConflict(failure) ? new TransactionConflict('Rolled back after a conflict.', { cause: failure }) : error;
}

async function withRetries<Result>({ timers, random }: Needs, attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TransactionConflict)) throw error;
      if (tries === MAX_TRIES)
        throw new ServiceUnavailable(`The transaction conflicted with others ${MAX_TRIES} times.`, {
          cause: error.cause,
        });
    }
    // Random, so that the same transactions do not conflict again.
    await timers.pause(randomFraction(random) * MAX_PAUSE_MS * tries);
  }
}
