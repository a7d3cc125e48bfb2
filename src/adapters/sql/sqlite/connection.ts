import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** At 4 KiB a page: a checkpoint after 32 MiB of write-ahead log, so that a burst of submissions is not delayed by one. */
const CHECKPOINT_PAGES = 8_192;

/** Files of documents go through it as well, on each of several connections; what it has not, the system's own cache mostly has. */
const CACHE_KIB = 16_384;

/** What is used of a connection. */
export type Connection = Pick<DatabaseSync, 'exec' | 'prepare' | 'isOpen' | 'isTransaction' | 'close'>;

/** For names that come from the command line: SQLite takes one that begins with `file:` for an address, and opens another file or none. */
export function asFile(name: string): string {
  return resolve(name);
}

/** A connection to the embedded database with the settings that all connections share. */
export function connect(path: string, checkpointPages = CHECKPOINT_PAGES): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: 1_000 });
  try {
    connection.exec('pragma journal_mode = wal');
    // FULL: the write-ahead log is flushed to disk before a commit returns, so an answered submission survives power loss.
    connection.exec('pragma synchronous = full');
    connection.exec('pragma foreign_keys = on');
    connection.exec(`pragma wal_autocheckpoint = ${checkpointPages}`);
    connection.exec('pragma journal_size_limit = 134217728');
    connection.exec(`pragma cache_size = -${CACHE_KIB}`);
    connection.exec('pragma temp_store = memory');
    return connection;
  } catch (error) {
    // Whoever tries again and again would have every descriptor of the process open before the collector closes them.
    connection.close();
    throw error;
  }
}

/** The last connection to close empties the log by its index, and removes it. One that can only read leaves it as it is. */
export function closeKeepingLog(path: string, connection: Connection): void {
  let last: DatabaseSync | null = null;
  try {
    last = new DatabaseSync(path, { readOnly: true });
    // Opens the file.
    last.exec('pragma schema_version');
  } finally {
    connection.close();
    last?.close();
  }
}

/**
 * A statement in SQLite's dialect, with the marked comments for SQLite (table options, and the index where its planner chooses
 * badly). `limit ?` is written `limit ? + 0`: SQLite plans a statement again each time a bare parameter of a limit gets a value.
 */
export function statementText(text: string): string {
  return withSqliteParts(text)
    .replaceAll(/\$(\d+)/gu, '?$1')
    .replaceAll(/\b(limit|offset) (\?\d+)/gu, '$1 $2 + 0');
}

export function withSqliteParts(text: string): string {
  return text.replaceAll(/\/\*sqlite\s((?:[^*/]|\*(?!\/)|\/(?!\*))*)\*\//gu, '$1');
}
