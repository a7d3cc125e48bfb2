import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceUnavailable } from '../../application/service-unavailable.ts';
import type { Engine, Sql, SqlValue } from './engine.ts';
import { createGroupCommit } from './group-commit.ts';

/** How long a transaction waits for another process (the command line beside the service) to finish its own. */
const BUSY_LIMIT_MS = 5_000;
const BUSY_PAUSE_MS = 5;
/** At 4 KiB a page: the log is folded back after 32 MiB, so that a burst of submissions is not held up by it. */
const CHECKPOINT_PAGES = 8_192;

const SQLITE_BUSY = 5;

/** The embedded database: one file, one writer, readers that never wait for it. */
export function openSqlite(path: string): Engine {
  const writerConnection = connect(path);
  const readerConnection = connectToRead(path);
  const snapshotConnection = connectToRead(path);
  const writer = statements(writerConnection);
  const groupCommit = createGroupCommit({
    sql: writer,
    begin: () => beginWhenFree(writerConnection),
    execute: (text) => writerConnection.exec(text),
  });
  return {
    ...statements(readerConnection, createSnapshots(snapshotConnection)),
    transaction: groupCommit.transaction,
    async script(_sql, text) {
      writerConnection.exec(ownWords(text));
    },
    async close() {
      await groupCommit.idle();
      for (const connection of [snapshotConnection, readerConnection, writerConnection]) connection.close();
    },
  };
}

function connect(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: 1_000 });
  connection.exec('pragma journal_mode = wal');
  // FULL: the log is on disk before a commit returns, so an answered submission survives power loss.
  connection.exec('pragma synchronous = full');
  connection.exec('pragma foreign_keys = on');
  connection.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  connection.exec('pragma journal_size_limit = 134217728');
  connection.exec('pragma cache_size = -65536');
  connection.exec('pragma temp_store = memory');
  // From here on a lock held elsewhere is waited for without blocking this thread.
  connection.exec('pragma busy_timeout = 0');
  return connection;
}

/** Whatever writes goes through a transaction; a stray write fails instead of racing with the writer. */
function connectToRead(path: string): DatabaseSync {
  const connection = connect(path);
  connection.exec('pragma query_only = on');
  return connection;
}

/** Snapshots, one after the other on a connection of their own: each sees what was committed when it began. */
function createSnapshots(connection: DatabaseSync): Sql['snapshot'] {
  const sql = statements(connection);
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(async () => {
      connection.exec('begin');
      try {
        return await work(sql);
      } finally {
        connection.exec('commit');
      }
    });
    last = result.catch(() => undefined);
    return result;
  };
}

async function beginWhenFree(connection: DatabaseSync): Promise<void> {
  const deadline = performance.now() + BUSY_LIMIT_MS;
  for (;;) {
    try {
      connection.exec('begin immediate');
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline)
        throw new ServiceUnavailable('Another process holds the database.', { cause: error });
    }
    await pause(BUSY_PAUSE_MS);
  }
}

/** What only SQLite knows stands in comments: words of its tables, and which index to take where it cannot tell by itself. */
function ownWords(text: string): string {
  return text.replaceAll(/\/\*sqlite (.*?)\*\//gu, '$1');
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}

function statements(connection: DatabaseSync, snapshot?: Sql['snapshot']): Sql {
  const prepared = new Map<string, StatementSync>();
  function prepare(text: string): StatementSync {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = connection.prepare(ownWords(text).replaceAll(/\$(\d+)/gu, '?$1'));
    prepared.set(text, statement);
    return statement;
  }
  const sql: Sql = {
    snapshot: snapshot ?? ((work) => work(sql)),
    // There is one writer, whose transactions come one after the other.
    lock: () => undefined,
    async all<Row>(text: string, parameters: readonly SqlValue[]) {
      return prepare(text).all(...parameters) as Row[];
    },
    async get<Row>(text: string, parameters: readonly SqlValue[]) {
      return (prepare(text).get(...parameters) ?? null) as Row | null;
    },
    async run(text, parameters) {
      return Number(prepare(text).run(...parameters).changes);
    },
  };
  return sql;
}
