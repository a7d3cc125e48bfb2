import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';
import type { Engine, Sql, SqlValue } from '../engine.ts';
import { connect, isBusy, ownWords, statementText } from './connection.ts';
import { createGroupCommit } from './group-commit.ts';
import { createSqliteApart } from './large-write.ts';

/** How long a transaction waits for another process (the command line beside the service) to finish its own. */
const BUSY_LIMIT_MS = 5_000;
const BUSY_PAUSE_MS = 5;

/** The embedded database: one file, one writer, readers that never wait for it. */
export function openSqlite(path: string): Engine {
  const writerConnection = connectHere(path);
  const readerConnection = connectToRead(path);
  const snapshotConnection = connectToRead(path);
  const groupCommit = createGroupCommit({
    sql: statements(writerConnection, () => requireTransaction(writerConnection)),
    begin: () => beginWhenFree(writerConnection),
    execute: control(writerConnection),
  });
  const apart = createSqliteApart(path);
  return {
    ...reads({
      writer: statements(writerConnection),
      guarded: statements(readerConnection),
      isWriterFree: () => writerConnection.isOpen && !writerConnection.isTransaction,
      snapshot: createSnapshots(snapshotConnection),
    }),
    transaction: groupCommit.transaction,
    runApart: apart.run,
    async script(_sql, text) {
      writerConnection.exec(ownWords(text));
    },
    async close() {
      await groupCommit.idle();
      await apart.close();
      for (const connection of [snapshotConnection, readerConnection, writerConnection]) connection.close();
    },
  };
}

/** A lock held elsewhere is waited for without blocking this thread. */
function connectHere(path: string): DatabaseSync {
  const connection = connect(path);
  connection.exec('pragma busy_timeout = 0');
  return connection;
}

/**
 * After some failures (a full disk) SQLite gives up the whole transaction by itself. What a work had sent along, or goes on to
 * send, would be written for good on its own.
 */
function requireTransaction({ isTransaction }: DatabaseSync): void {
  if (!isTransaction) throw new Error('The database gave up the transaction.');
}

/** Whatever writes goes through a transaction; a stray write fails instead of racing with the writer. */
function connectToRead(path: string): DatabaseSync {
  const connection = connectHere(path);
  connection.exec('pragma query_only = on');
  return connection;
}

type ReadNeeds = {
  readonly writer: Sql;
  /** Refuses whatever writes. */
  readonly guarded: Sql;
  readonly isWriterFree: () => boolean;
  readonly snapshot: Sql['snapshot'];
};

/**
 * Reads what is committed. The writer's connection is the better one to ask, for a commit leaves its cache standing and throws
 * away the cache of any other. It is asked while it has no transaction open, and nothing that was not let through before
 * where writes are refused.
 */
function reads({ writer, guarded, isWriterFree, snapshot }: ReadNeeds): Sql {
  const reading = new Set<string>();
  const mayAskWriter = (text: string) => reading.has(text) && isWriterFree();
  async function letThrough<Result>(text: string, answer: Promise<Result>): Promise<Result> {
    const result = await answer;
    reading.add(text);
    return result;
  }
  return {
    snapshot,
    lock: guarded.lock,
    all<Row>(text: string, parameters: readonly SqlValue[]) {
      if (mayAskWriter(text)) return writer.all<Row>(text, parameters);
      return letThrough(text, guarded.all<Row>(text, parameters));
    },
    get<Row>(text: string, parameters: readonly SqlValue[]) {
      if (mayAskWriter(text)) return writer.get<Row>(text, parameters);
      return letThrough(text, guarded.get<Row>(text, parameters));
    },
    run: guarded.run,
  };
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

/** Runs the words around transactions, each read by the engine once. */
function control(connection: DatabaseSync): (text: string) => void {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    const statement = prepared.get(text) ?? connection.prepare(text);
    prepared.set(text, statement);
    statement.run();
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

function statements(connection: DatabaseSync, check: () => void = () => undefined): Sql {
  const prepared = new Map<string, StatementSync>();
  function prepare(text: string): StatementSync {
    check();
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = connection.prepare(statementText(text));
    prepared.set(text, statement);
    return statement;
  }
  const sql: Sql = {
    snapshot: (work) => work(sql),
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
