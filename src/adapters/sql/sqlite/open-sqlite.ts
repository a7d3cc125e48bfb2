import { realpathSync, statSync } from 'node:fs';
import type { StatementSync } from 'node:sqlite';
import type { Timers } from '../../../application/ports/platform.ts';
import { createPrivate, makePrivate } from '../../platform/private-files.ts';
import { createSemaphore } from '../../threads/semaphore.ts';
import type { Engine } from '../engine.ts';
import { type Connection, closeKeepingLog, connect, withSqliteParts } from './connection.ts';
import {
  commitFailure,
  isBusy,
  isReadOnly,
  lockHeld,
  notInPlace,
  openFailure,
  requireTransaction,
  translateWriteError,
  unavailable,
} from './failure.ts';
import { createGroupCommit } from './group-commit.ts';
import { createSnapshots } from './snapshots/snapshots.ts';
import { statements, translated } from './statements.ts';
import { type Checkpoints, createCheckpoints, isSafeBesideOthers } from './threads/checkpoints.ts';
import { createLargeWriter } from './threads/large-write.ts';
import { createSubmissionWriter, SUBMISSION_THREAD } from './threads/submission-writer.ts';
import { createThreadTurns } from './threads/thread-turns.ts';

/** How long a transaction waits for the write lock, which another process (a command beside the service) may hold. */
const BUSY_TIMEOUT_MS = 5_000;
const BUSY_RETRY_MS = 5;

type Connect = (path: string) => Connection;

const NO_CHECKPOINTS: Checkpoints = { committed: () => undefined, close: async () => undefined };

/** The embedded database: one file, one writer, and readers that never wait for the writer. Whoever must write is refused where nobody can. */
export function openSqlite(path: string, timers: Timers, connectTo: Connect = connect, mustWrite = false): Engine {
  const writerConnection = connectFirst(connectTo, path, mustWrite);
  const { isInPlace, requireInPlace } = rememberFiles(path, writerConnection);
  const readerConnection = connectReadOnly(connectTo, path);
  const snapshots = createSnapshots(() => {
    // Whoever writes empties the log.
    if (!isInPlace()) throw notInPlace();
    return connectReadOnly(connectTo, path);
  });
  // Decides who in this process is next at SQLite's write lock: the group commit, a group of submissions or a large file.
  const writeLock = createSemaphore(1);
  const turns = createThreadTurns({ writeLock, isInPlace, requireInPlace, timers });
  // Threads have connections of their own.
  const hasThreads = connectTo === connect;
  const hasCheckpoints = hasThreads && isSafeBesideOthers(process.versions['sqlite'] ?? '');
  const checkpoints = hasCheckpoints ? createCheckpoints({ path, timers, turns }) : NO_CHECKPOINTS;
  const { committed } = checkpoints;
  const groupCommit = createGroupCommit({
    timers,
    writeLock,
    committed,
    sql: statements(writerConnection, translateWriteError, () => requireTransaction(writerConnection)),
    async begin(sinceMs) {
      await beginWhenFree(writerConnection, timers, sinceMs);
      requireInPlace(() => writerConnection.exec('rollback'));
    },
    execute: transactionControl(writerConnection),
  });
  const forThreads = { path, timers, turns, busyTimeoutMs: BUSY_TIMEOUT_MS };
  const largeWriter = createLargeWriter(forThreads);
  const submissionWriter = hasThreads
    ? createSubmissionWriter({ ...forThreads, module: SUBMISSION_THREAD, committed })
    : null;
  return {
    ...statements(readerConnection),
    snapshot: snapshots.run,
    transaction: groupCommit.transaction,
    runLargeWrite: largeWriter.run,
    storeGroup: submissionWriter?.store ?? (async () => null),
    hasOneWriter: true,
    async script(_sql, text) {
      translated(translateWriteError, () => writerConnection.exec(withSqliteParts(text)));
    },
    afterMigration: async () => undefined,
    afterMigrations: async () => undefined,
    serverTime: null,
    unsafeSettings: async () => [],
    connections: () => null,
    async close() {
      await groupCommit.idle();
      await largeWriter.close();
      await submissionWriter?.close();
      await checkpoints.close();
      snapshots.close();
      readerConnection.close();
      closeWriter(path, writerConnection, requireInPlace);
    },
  };
}

function connectFirst(connectTo: Connect, path: string, mustWrite: boolean): Connection {
  try {
    // SQLite gives its write-ahead log the mode of the database, but leaves existing files as they are.
    createPrivate(path);
    for (const suffix of ['-wal', '-shm', '-journal']) makePrivate(`${path}${suffix}`);
    const connection = connectNonBlocking(connectTo, path);
    if (mustWrite) refuseReadOnly(connection);
    return connection;
  } catch (error) {
    throw openFailure(path, error);
  }
}

/** Where the log is there already, SQLite opens a file that cannot be written for reading, and that connection never writes. */
function refuseReadOnly(connection: Connection): void {
  try {
    // SQLite takes the beginning for that of a read; the change is refused.
    connection.exec('begin immediate; pragma user_version = 0; rollback');
  } catch (error) {
    // Another process that holds the lock, or a full disk, passes.
    if (isReadOnly(error)) {
      connection.close();
      throw error;
    }
    if (connection.isTransaction) connection.exec('rollback');
  }
}

/**
 * Fails while another file, or none, is in the place of the database, its log or the index of that; before that, the given is done, and the log
 * is emptied. So it is for who has the lock: what others still commit would be left in the log.
 */
type RequireInPlace = (beforeFailing?: (mayEmptyLog: boolean) => void) => void;

type FilesInPlace = { readonly isInPlace: () => boolean; readonly requireInPlace: RequireInPlace };

/**
 * A file that was moved, removed or replaced is still open here, and SQLite goes on writing to it: what is answered would be gone when the
 * process ends, or, of its log, when it is killed. Processes with different indexes of the log do not see each other's locks and commits:
 * each writes over what the other has stored.
 */
function rememberFiles(path: string, writer: Connection): FilesInPlace {
  // SQLite has the log of a link beside what it leads to.
  const [log, index] = ['-wal', '-shm'].map((suffix) => `${realpathSync(path)}${suffix}`) as [string, string];
  const files = [path, log, index];
  const opened = files.map(identityOf);
  let isLogEmptied = false;

  function isAbsent(file: string, at: number): boolean {
    const found = identityOf(file);
    // SQLite makes the log and its index when they are first needed, and keeps them for as long as a connection is open.
    opened[at] ??= found;
    return found !== opened[at];
  }

  return {
    isInPlace: () => !files.some(isAbsent),
    requireInPlace(beforeFailing) {
      const absent = files.filter(isAbsent);
      if (absent.length === 0) {
        isLogEmptied = false;
        return;
      }
      // Where only the index is absent, the log stays for the next start: others may have written to it what this process does not see.
      const mayEmpty = absent.some((file) => file !== index);
      beforeFailing?.(mayEmpty);
      // Once: a process that was started on the other file since then has the same log.
      if (mayEmpty && !isLogEmptied) isLogEmptied = emptyLog(writer);
      throw notInPlace();
    },
  };
}

/** Where the system does not say it, as of a folder that was closed to this user or on a disk that fails, nothing is written either. */
function identityOf(file: string): string | null {
  const found = translated(unavailable, () => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}

/**
 * Writes what the log holds into the database that is open, wherever it is now. SQLite does not do so when it closes a database that was
 * moved, and applies the log to the file that it finds beside it at the next start: that one is damaged then, and the moved one is not whole.
 */
function emptyLog(writer: Connection): boolean {
  try {
    return writer.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0;
  } catch {
    // Somebody reads or writes at this moment: it is tried again.
    return false;
  }
}

function closeWriter(path: string, writer: Connection, requireInPlace: RequireInPlace): void {
  let mayEmptyLog = true;
  try {
    requireInPlace((mayEmpty) => {
      mayEmptyLog = mayEmpty;
    });
  } catch {
    // It was told where something was to be written.
  }
  if (mayEmptyLog) writer.close();
  else closeKeepingLog(path, writer);
}

/** Without SQLite's own busy timeout, which would block the main thread: `beginWhenFree` waits asynchronously instead. */
function connectNonBlocking(connectTo: Connect, path: string): Connection {
  const connection = connectTo(path);
  connection.exec('pragma busy_timeout = 0');
  return connection;
}

/** Writes are allowed only in transactions of the writer; a write outside one fails instead of competing with it. */
function connectReadOnly(connectTo: Connect, path: string): Connection {
  const connection = connectNonBlocking(connectTo, path);
  connection.exec('pragma query_only = on');
  return connection;
}

/** Runs transaction control statements (commit, savepoint, …), each prepared once. */
function transactionControl(connection: Connection): (text: string) => void {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    const statement = prepared.get(text) ?? connection.prepare(text);
    prepared.set(text, statement);
    const translate = (error: unknown) => translateWriteError(text === 'commit' ? commitFailure(error) : error);
    translated(translate, () => statement.run());
  };
}

async function beginWhenFree(connection: Connection, timers: Timers, sinceMs: number): Promise<void> {
  const deadline = sinceMs + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      // The one before, where even its rollback failed.
      if (connection.isTransaction) connection.exec('rollback');
      connection.exec('begin immediate');
      return;
    } catch (error) {
      if (!isBusy(error)) throw translateWriteError(error);
      if (timers.elapsedMs() > deadline) throw lockHeld(error);
    }
    await timers.pause(BUSY_RETRY_MS);
  }
}
