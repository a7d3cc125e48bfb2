import { accessSync, closeSync, constants, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommitUnknown } from '../../../application/errors/commit-unknown.ts';
import { DatabaseDamaged } from '../../../application/errors/damage.ts';
import { OperatorError } from '../../../application/errors/operator-error.ts';
import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';
import type { Connection } from './connection.ts';

const SQLITE_BUSY = 5;
const SQLITE_NOMEM = 7;
const SQLITE_READONLY = 8;
/** The file that is open is no longer in its place, as after "dostava restore". */
const SQLITE_READONLY_DBMOVED = 1_032;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_PROTOCOL = 15;
/** The index of the log could not be made as large as it has to be: the disk is full, or fails. SQLite says "disk I/O error" of both. */
const SQLITE_IOERR_SHMSIZE = 4_874;
/** A write failed for another reason than a full disk. Of all these SQLite says "disk I/O error". */
const SQLITE_IOERR_WRITE = 778;
const REFUSED_WRITE =
  'a write was refused although the disk is not full. Look at whether the disk fails or the system has made it read-only because of that (dmesg, findmnt), at the quota of the user (quota), and at the limit on the size of files (ulimit -f, LimitFSIZE= of the unit)';
const ONLY_READ =
  'look at whether the disk is read-only, as the system makes one that fails (dmesg, findmnt), and whether the files of the database belong to another user';
/** What the index of the log takes at least. */
const INDEX_BYTES = 32_768;

/**
 * The database cannot be used now. BUSY: another process recovers or closes it. NOMEM. IOERR: the disk fails, or a file may not
 * grow. FULL: the disk is full. CANTOPEN: no descriptor is left. PROTOCOL: others were at the index of the log whenever it was tried.
 */
const UNAVAILABLE_CODES: ReadonlySet<number> = new Set([
  SQLITE_BUSY,
  SQLITE_NOMEM,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
  SQLITE_PROTOCOL,
]);

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

export function isReadOnly(error: unknown): boolean {
  return primaryCode(error) === SQLITE_READONLY;
}

/** CORRUPT, NOTADB: the file is not what SQLite has written. Another try would not help. */
const DAMAGED_CODES: ReadonlySet<number> = new Set([11, 26]);

function isDamage(error: unknown): boolean {
  return DAMAGED_CODES.has(primaryCode(error) ?? 0);
}

/** Turns a failure of the disk into ServiceUnavailable, and names damage; any other error stays as it is. */
export function translateError(error: unknown): unknown {
  const code = primaryCode(error);
  if (isDamage(error)) {
    return new DatabaseDamaged('The file of the embedded database is damaged: stop the service and restore a backup.', {
      cause: error,
    });
  }
  return code !== null && UNAVAILABLE_CODES.has(code) ? unavailable(error) : error;
}

/** The same where writing is meant. Elsewhere a write is a mistake in the program, and the connection refuses it by the same code. */
export function translateWriteError(error: unknown): unknown {
  return isReadOnly(error) ? unavailable(error) : translateError(error);
}

/**
 * The error of a commit, which comes as the last page into the log; then the log is flushed, and its index is told. A failure of these two
 * says nothing: until the next commit is written in its place it is in the log, and carried out by whoever starts after a kill.
 */
export function commitFailure(error: unknown): unknown {
  const code = primaryCode(error);
  const mayBeInLog = code === SQLITE_NOMEM || (code === SQLITE_IOERR && extendedCode(error) !== SQLITE_IOERR_WRITE);
  if (!mayBeInLog) return error;
  return new CommitUnknown('The end of the commit failed: what it changes may be found after the next start.', {
    cause: error,
  });
}

/** Statements that a work issues after SQLite has rolled its transaction back would each be committed on their own. */
export function requireTransaction({ isTransaction }: Pick<Connection, 'isTransaction'>): void {
  if (!isTransaction) throw rolledBackByItself();
}

/** After some errors (a full disk) SQLite rolls back the whole transaction by itself. */
export function rolledBackByItself(error?: unknown): ServiceUnavailable {
  const cause = error instanceof ServiceUnavailable ? error.cause : error;
  return new ServiceUnavailable('SQLite rolled back the transaction by itself.', { cause });
}

/** Another process, such as a command beside the service, has held it for too long. */
export function lockHeld(cause: unknown): ServiceUnavailable {
  return new ServiceUnavailable('Another process holds the write lock of the database.', { cause });
}

/** Whoever has begun in this process does not come to an end. Nothing was done of what waits behind it. */
export function writerHangs(): ServiceUnavailable {
  return new ServiceUnavailable(
    'Another change to the database, which this process has begun, does not come to an end.',
  );
}

export function notInPlace(): ServiceUnavailable {
  return unavailable(
    new Error(
      'Its file, or the write-ahead log (-wal) or the index of that (-shm) beside it, was moved, removed or replaced while this process had it open. Move it back. Otherwise stop every process that uses it, put a backup in its place with "dostava restore" unless only the log or its index is gone, and start them again.',
    ),
  );
}

export function unavailable(cause: unknown): ServiceUnavailable {
  return new ServiceUnavailable('The database cannot serve at this moment.', { cause: explained(cause) });
}

/** Says what a refused write may come from: the system's reason is not among what SQLite tells. Any other error stays as it is. */
export function explained(error: unknown): unknown {
  const why = isReadOnly(error) ? ONLY_READ : extendedCode(error) === SQLITE_IOERR_WRITE ? REFUSED_WRITE : null;
  if (why === null) return error;
  const { message } = error as Error;
  return Object.assign(new Error(`${message}: ${why}.`, { cause: error }), { errcode: extendedCode(error) });
}

const OF_ANOTHER_USER =
  'it belongs to another user, as after a command that was run by another one. Run commands as the user of the service, and give the folder of the database with all files in it back to that user (chown -R)';

const NO_ROOM =
  'its disk is full, or a quota lets nothing more be written there, and even to read it SQLite needs some room. Make room on the disk (df); what was stored is still there';

/** Whoever writes to it keeps nobody from opening it. */
const KEPT_FROM_OTHERS =
  'another process has it for itself, as "dostava migrate-store" and "dostava restore" have while they run. Try again when that has ended.';

const OPEN_ADVICE: Readonly<Record<string, string>> = {
  EACCES: OF_ANOTHER_USER,
  EPERM: OF_ANOTHER_USER,
  ENOSPC: NO_ROOM,
  EDQUOT: NO_ROOM,
  EROFS:
    'its disk is read-only. Look at the disk; for a backup, copy the whole folder to another disk and name that in DATA_DIR',
};

/**
 * SQLite says only that it is "unable to open database file", or of a folder in which it cannot make its log that the database is read-only,
 * or "disk I/O error": which file it is and why, the system is asked again. Any other error stays as it is.
 */
export function openFailure(path: string, error: unknown): unknown {
  if (isDamage(error)) return damagedFile(path, error as Error);
  if (isBusy(error)) return new OperatorError('refused', `${path} is in use: ${KEPT_FROM_OTHERS}`);
  if (extendedCode(error) === SQLITE_READONLY_DBMOVED) {
    return new OperatorError('refused', `${path} was replaced at the moment at which it was opened. Try again.`);
  }
  const cause = systemFailure(path, error);
  if (!(cause instanceof Error)) return error;
  const { code: reason = '', path: closed = path, message }: NodeJS.ErrnoException = cause;
  const why = OPEN_ADVICE[reason] ?? (cause === error ? null : message);
  return why === null ? error : new OperatorError('refused', `${closed} cannot be opened: ${why}.`);
}

function damagedFile(path: string, { message }: Error): OperatorError {
  return new OperatorError(
    'refused',
    `${path} is damaged, or no database of Dostava: ${message}. Stop the service and restore a backup, "dostava restore --from <backup> --force", which keeps the present file beside the new one.`,
  );
}

/** The error that the system gives where SQLite hides it; null where it gives none. */
function systemFailure(path: string, error: unknown): unknown {
  if (extendedCode(error) === SQLITE_IOERR_SHMSIZE) return whyUnwritten(path);
  const code = primaryCode(error);
  return code === SQLITE_CANTOPEN || code === SQLITE_READONLY ? whyClosed(path) : error;
}

/** The error that the system gives for a new file beside the database; null where it gives none. */
function whyUnwritten(path: string): unknown {
  const file = `${path}-room`;
  try {
    writeFileSync(file, new Uint8Array(INDEX_BYTES));
    return null;
  } catch (error) {
    return Object.assign(error as Error, { path });
  } finally {
    rmSync(file, { force: true });
  }
}

/** The error that the system gives for the database, its log or its folder; null where it gives none. */
function whyClosed(path: string): unknown {
  try {
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(`${path}${suffix}`)) closeSync(openSync(`${path}${suffix}`, 'r+'));
    }
    // SQLite makes its log beside it.
    accessSync(dirname(path), constants.W_OK);
    return null;
  } catch (error) {
    return error;
  }
}

/** An error on its way from a thread that writes: messages carry data, not the classes and codes of errors. */
export type ThreadFailure = {
  readonly message: string;
  /** SQLite's own; null for an error that is not SQLite's. */
  readonly errcode: number | null;
  readonly isUnavailable: boolean;
  readonly isCommitUnknown: boolean;
};

export function toThreadFailure(error: unknown): ThreadFailure {
  if (error instanceof CommitUnknown) return { ...toThreadFailure(error.cause), isCommitUnknown: true };
  const message = error instanceof Error ? error.message : String(error);
  const isUnavailable = error instanceof ServiceUnavailable;
  return { message, errcode: extendedCode(error), isUnavailable, isCommitUnknown: false };
}

/** The error that the caller would get from a connection of its own. */
export function fromThreadFailure({ message, errcode, isUnavailable, isCommitUnknown }: ThreadFailure): unknown {
  if (isUnavailable) return new ServiceUnavailable(message);
  if (errcode === null) return new Error(message);
  const error = Object.assign(new Error(message), { errcode });
  if (isCommitUnknown) return commitFailure(error);
  return isBusy(error) ? lockHeld(error) : translateWriteError(error);
}

/** Without what extended codes add in their upper bytes; null for an error that is not SQLite's. */
function primaryCode(error: unknown): number | null {
  const code = extendedCode(error);
  return code === null ? null : code & 0xff;
}

function extendedCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : null;
}
