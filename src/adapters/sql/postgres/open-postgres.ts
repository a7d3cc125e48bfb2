import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';
import type { Engine, Sql, SqlValue } from '../engine.ts';
import { migrationText, parameterValues, statementText, types } from './dialect.ts';
import { isConflict, thrownFor } from './failure.ts';
import { beginTransaction, type PostgresTransaction } from './transaction.ts';

export type PostgresOptions = {
  /** Connections of this process at most; whoever comes later waits for one. */
  readonly poolSize?: number;
  /** How long a connection is waited for, be it made or given back. */
  readonly connectMs?: number;
  /** How long a statement may take, waiting for locks included, and how long a transaction may stand still. */
  readonly statementMs?: number;
};

const POOL_SIZE = 10;
const CONNECT_MS = 10_000;
const STATEMENT_MS = 15_000;
/** The server ends what takes too long; this much later it is taken for dead. */
const GRACE_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
const IDLE_MS = 60_000;
/** Migrations take as long as they take. */
const ANY_TIME_MS = 2 ** 31 - 1;

/** How often work that collides with others is done before the caller is asked to come again. */
const TRIES = 6;
const LONGEST_PAUSE_MS = 25;

/** A PostgreSQL server, or a pooler in transaction mode before it. Connections are made when they are needed. */
export function openPostgres(url: string, options: PostgresOptions = {}): Engine {
  const { poolSize = POOL_SIZE, connectMs = CONNECT_MS, statementMs = STATEMENT_MS } = options;
  const pool = openPool(url, poolSize, connectMs, statementMs);
  const clients = new WeakMap<Sql, pg.ClientBase>();
  // Said at every beginning, since nothing set on a connection outlives a transaction behind a pooler.
  const limits = `set local statement_timeout = ${statementMs}; set local idle_in_transaction_session_timeout = ${statementMs}`;

  async function within<Result>(mode: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const client = await pool.connect().catch((error: unknown) => {
      throw thrownFor(error);
    });
    // A connection that breaks says so here as well; whoever waits for a statement hears of it anyway.
    client.on('error', ignore);
    let transaction: PostgresTransaction | null = null;
    let isSound = true;
    try {
      transaction = await beginTransaction(client, `begin isolation level ${mode}; ${limits}`);
      clients.set(transaction.sql, client);
      const result = await work(transaction.sql);
      await transaction.commit();
      return result;
    } catch (error) {
      isSound = (await transaction?.rollback()) ?? false;
      const failure = transaction?.failure();
      throw isConflict(failure) ? new Collision('Undone in favour of another.', { cause: failure }) : error;
    } finally {
      client.off('error', ignore);
      client.release(!isSound);
    }
  }

  async function query(text: string, parameters: readonly SqlValue[]): Promise<pg.QueryResult> {
    return pool.query(statementText(text), parameterValues(parameters)).catch((error: unknown) => {
      throw thrownFor(error);
    });
  }

  return {
    all: async <Row>(text: string, parameters: readonly SqlValue[]) => (await query(text, parameters)).rows as Row[],
    get: async <Row>(text: string, parameters: readonly SqlValue[]) =>
      ((await query(text, parameters)).rows[0] ?? null) as Row | null,
    run: async (text, parameters) => (await query(text, parameters)).rowCount ?? 0,
    lock: () => undefined,
    snapshot: (work) => insistently(() => within('repeatable read read only', work)),
    transaction: (work) => insistently(() => within('read committed', work)),
    async runApart(text, parameters) {
      await query(text, parameters);
    },
    async script(sql, text) {
      const client = clients.get(sql);
      if (client === undefined) throw new Error('A script runs within a transaction.');
      const unlimited: pg.QueryConfig & { query_timeout: number } = {
        text: migrationText(text),
        query_timeout: ANY_TIME_MS,
      };
      await client.query(unlimited);
    },
    close: () => pool.end(),
  };
}

function openPool(url: string, poolSize: number, connectMs: number, statementMs: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
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
  // A connection that breaks while nobody uses it leaves the pool; the next statement gets another one.
  pool.on('error', ignore);
  return pool;
}

function ignore(): void {
  // Told by other means.
}

/** Two transactions stood in each other's way, and this one was undone. */
class Collision extends Error {
  override readonly name = 'Collision';
}

async function insistently<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Collision)) throw error;
      if (tries === TRIES) throw new ServiceUnavailable('Transactions kept colliding.', { cause: error.cause });
    }
    // By random, so that those who collided do not meet again.
    await pause(Math.random() * LONGEST_PAUSE_MS * tries);
  }
}
