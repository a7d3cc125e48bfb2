import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/** At 4 KiB a page: the log is checkpointed after 32 MiB, so that a burst of submissions is not held up by it. */
const CHECKPOINT_PAGES = 8_192;

/** A connection to the embedded database, with all that every one of them must agree on. */
export function connect(path: string, checkpointPages = CHECKPOINT_PAGES): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: 1_000 });
  connection.exec('pragma journal_mode = wal');
  // FULL: the log is on disk before a commit returns, so an answered submission survives power loss.
  connection.exec('pragma synchronous = full');
  connection.exec('pragma foreign_keys = on');
  connection.exec(`pragma wal_autocheckpoint = ${checkpointPages}`);
  connection.exec('pragma journal_size_limit = 134217728');
  connection.exec('pragma cache_size = -65536');
  connection.exec('pragma temp_store = memory');
  return connection;
}

/**
 * A statement in the engine's own words. What only SQLite knows stands in comments: words of its tables, and which index to
 * take where it cannot tell by itself. Where a limit is a mere parameter, SQLite plans the statement anew each time that it is
 * given a value; where it is a sum, it does not.
 */
export function statementText(text: string): string {
  return ownWords(text)
    .replaceAll(/\$(\d+)/gu, '?$1')
    .replaceAll(/\b(limit|offset) (\?\d+)/gu, '$1 $2 + 0');
}

export function ownWords(text: string): string {
  return text.replaceAll(/\/\*sqlite (.*?)\*\//gu, '$1');
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
