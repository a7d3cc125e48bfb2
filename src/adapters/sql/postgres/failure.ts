import pg from 'pg';
import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';

/** Serialisation failure, deadlock: the same work succeeds when it is done again. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);

/**
 * The database cannot do it now, whatever was asked. 08: connection, and whatever a pooler has to say. 53: disk full, memory,
 * too many connections. 57P: shut down, crashed, starting. 25006: a standby. 57014, 55P03, 25P03, 25P04: took too long.
 */
const OUT_OF_ORDER = /^(?:08...|53...|57P..|25006|57014|55P03|25P03|25P04)$/u;

/** The driver tells these by their message alone. */
const DRIVER_MESSAGES = /^(?:Connection terminated|timeout expired|timeout exceeded|Query read timeout)/u;
/** It was broken before; nothing was sent any more. */
const UNSENT = /^Client (?:has|was)/u;
/** Of the network: refused, reset, unreachable, no such host. */
const NETWORK_CODE = /^E(?!RR_)/u;

export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CONFLICTS.has(error.code ?? '');
}

/** The connection is of no more use: it is broken, or leads to a server that cannot serve. */
export function isOutOfOrder(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return OUT_OF_ORDER.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return NETWORK_CODE.test(error.code);
  return DRIVER_MESSAGES.test(error.message) || UNSENT.test(error.message);
}

/** What is thrown for a failure of the database: everything but a passing one flies as it is. */
export function thrownFor(error: unknown): unknown {
  return isOutOfOrder(error)
    ? new ServiceUnavailable('The database cannot serve at this moment.', { cause: error })
    : error;
}

/** What is thrown when the commit itself fails. Only where the server says so, nothing was changed. */
export function thrownForCommit(error: unknown): unknown {
  const isUndone =
    error instanceof pg.DatabaseError ? error.severity === 'ERROR' : UNSENT.test((error as Error).message);
  if (isUndone) return thrownFor(error);
  return new Error('The connection broke at the commit: whether it happened is not known.', { cause: error });
}
