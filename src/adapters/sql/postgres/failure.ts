import pg from 'pg';
import { CommitUnknown } from '../../../application/errors/commit-unknown.ts';
import { DatabaseDamaged } from '../../../application/errors/damage.ts';
import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';

/** Serialisation failure and deadlock: the transaction can succeed when it is run again. */
const CONFLICT_CODES: ReadonlySet<string> = new Set(['40001', '40P01']);

/**
 * The server cannot serve any statement now. 08: connection errors, also those a pooler reports. 53: disk full, out of memory, too
 * many connections. 57P: shutting down, crashed, starting. 25006: a read-only standby. 57014, 55P03, 25P03, 25P04: timeouts.
 * 42P01, 3F000, 42501: its tables are not there, as while it is being restored, or the role may not use them.
 */
const UNAVAILABLE_CODES = /^(?:08...|53...|57P..|25006|57014|55P03|25P03|25P04|42P01|3F000|42501)$/u;

/** The driver's own errors, which have no code. */
const DRIVER_MESSAGES = /^(?:Connection terminated|timeout expired|timeout exceeded|Query read timeout)/u;
/** The connection was broken before, so the statement was not sent. */
const NOT_SENT_MESSAGES = /^Client (?:has|was)/u;
/** Network errors such as ECONNREFUSED, but not Node's own ERR_… codes. */
const NETWORK_CODES = /^E(?!RR_)/u;

export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CONFLICT_CODES.has(error.code ?? '');
}

export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

/** The connection cannot be used any more: it is broken, or its server cannot serve. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_CODES.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return NETWORK_CODES.test(error.code);
  return DRIVER_MESSAGES.test(error.message) || NOT_SENT_MESSAGES.test(error.message);
}

/** A page of a table or of an index cannot be read. Another try would not help. */
const DAMAGED_CODES: ReadonlySet<string> = new Set(['XX001', 'XX002']);

/** A statement was to change something; the server names the statement, and an operator has not written it. */
const READ_ONLY_CODE = '25006';
const READ_ONLY_MESSAGE =
  'The database can be read and not changed: it is a standby, or default_transaction_read_only is on.';

export function unavailable(error: unknown): ServiceUnavailable {
  const isReadOnly = error instanceof pg.DatabaseError && error.code === READ_ONLY_CODE;
  const message = isReadOnly ? READ_ONLY_MESSAGE : 'The database cannot serve at this moment.';
  return new ServiceUnavailable(message, { cause: error });
}

/** Turns a temporary failure of the database into ServiceUnavailable, and names damage; any other error stays as it is. */
export function translateError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && DAMAGED_CODES.has(error.code ?? '')) {
    return new DatabaseDamaged('The database is damaged: restore a backup.', { cause: error });
  }
  return isUnavailable(error) ? unavailable(error) : error;
}

/** Told by a pooler, which may keep its connection to us when it has lost the one to the server. */
const CONNECTION_CODES = /^08/u;

/** The error of a failed commit. That nothing was changed is certain only if the server says so or the commit was not sent. */
export function translateCommitError(error: unknown): unknown {
  if (isRolledBack(error)) return translateError(error);
  return new CommitUnknown('The connection broke during the commit: whether it was committed is not known.', {
    cause: error,
  });
}

function isRolledBack(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return NOT_SENT_MESSAGES.test((error as Error).message);
  return error.severity === 'ERROR' && !CONNECTION_CODES.test(error.code ?? '');
}
