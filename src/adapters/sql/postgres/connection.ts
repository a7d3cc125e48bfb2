import type pg from 'pg';
import type { SqlValue } from '../engine.ts';
import { translateError, unavailable } from './failure.ts';

/** Whatever the reason why there is none (the network, a password, a certificate, a database that is gone): nothing was changed. */
export async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    // Also throws at once: files that the address names are read for every connection.
    const client = await pool.connect();
    client.on('error', ignoreBreak);
    return client;
  } catch (error) {
    throw unavailable(error);
  }
}

export function returnConnection(client: pg.PoolClient, isReusable: boolean): void {
  client.off('error', ignoreBreak);
  client.release(!isReusable);
}

/** One statement outside of transactions. */
export async function runStatement(
  pool: pg.Pool,
  statement: string | pg.QueryConfig,
  values?: SqlValue[],
): Promise<pg.QueryResult> {
  const client = await takeConnection(pool);
  let isReusable = false;
  try {
    const result = await client.query(statement, values);
    isReusable = true;
    return result;
  } catch (error) {
    throw translateError(error);
  } finally {
    returnConnection(client, isReusable);
  }
}

/** For the event of a connection that breaks: the statements that use it fail with the same error. */
export function ignoreBreak(): void {
  // Nobody else waits for it.
}
