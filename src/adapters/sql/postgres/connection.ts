import pg from 'pg';
import type { SqlValue } from '../engine.ts';
import { translateError, unavailable } from './failure.ts';

/** Whatever the reason why there is none (the network, a password, a certificate, a database that is gone): nothing was changed. */
export async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  return pool.connect().catch((error: unknown) => {
    throw unavailable(error);
  });
}

/**
 * The driver reads files that the address names (`sslrootcert`) for every connection, and throws where one is gone. The pool also makes
 * connections in place of broken ones, where an error would end the process: this one fails when it is to connect, as for any other reason.
 *
 * So would the break of a connection for which nobody listens. We do from the beginning: whoever takes a new one has it a moment after the
 * pool has let go of it, and what the server says last may have come with what it said first.
 */
export function newConnection(settings?: pg.ClientConfig): pg.ClientBase {
  try {
    return new pg.Client(settings).on('error', ignoreBreak);
  } catch (error) {
    const connect = (done: (error: unknown) => void) => queueMicrotask(() => done(error));
    return Object.assign(new pg.Client(), { connect });
  }
}

export function returnConnection(client: pg.PoolClient, isReusable: boolean): void {
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
