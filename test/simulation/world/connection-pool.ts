import type { StatementSync } from 'node:sqlite';
import { type Connection, connect } from '../../../src/adapters/sql/sqlite/connection.ts';

/**
 * Connections to one database file that outlive the processes which use them. To open one, and to prepare its statements anew, takes as
 * long as a tenth of a history.
 */
export type ConnectionPool = {
  /** To be used as one that was just opened; to close it rolls an open transaction back, as when a process is killed. */
  readonly take: () => Connection;
  readonly closeAll: () => void;
};

/** A connection with what was prepared on it. */
type Pooled = { readonly connection: Connection; readonly prepared: Map<string, StatementSync> };

/** What a process says to a connection for reading. Whenever it is said, every statement of the connection is planned anew. */
const FOR_READING = 'pragma query_only = on';

export function createConnectionPool(path: string): ConnectionPool {
  const all: Pooled[] = [];
  const writers: Pooled[] = [];
  /** They remain what they are, so that it is said to each of them once. */
  const readers: Pooled[] = [];

  function open(): Pooled {
    const pooled = { connection: openQuickly(path), prepared: new Map() };
    all.push(pooled);
    return pooled;
  }

  function openReader(): Pooled {
    const pooled = open();
    pooled.connection.exec(FOR_READING);
    return pooled;
  }

  return {
    take() {
      let pooled = writers.pop() ?? open();
      let free = writers;
      return asJustOpened({
        current: () => pooled,
        exec(text) {
          if (text !== FOR_READING) return pooled.connection.exec(text);
          writers.push(pooled);
          pooled = readers.pop() ?? openReader();
          free = readers;
        },
        giveBack() {
          if (pooled.connection.isTransaction) pooled.connection.exec('rollback');
          free.push(pooled);
        },
      });
    },
    closeAll() {
      for (const { connection } of all) connection.close();
    },
  };
}

/** The histories test the order of writes; what a disk keeps is tried with real processes. */
function openQuickly(path: string): Connection {
  const connection = connect(path);
  connection.exec('pragma synchronous = off');
  return connection;
}

type Taken = {
  readonly current: () => Pooled;
  readonly exec: (text: string) => void;
  readonly giveBack: () => void;
};

function asJustOpened({ current, exec, giveBack }: Taken): Connection {
  let isOpen = true;
  function requireOpen(): void {
    if (!isOpen) throw new Error('database is not open');
  }
  return {
    exec(text) {
      requireOpen();
      exec(text);
    },
    prepare(text) {
      requireOpen();
      const { connection, prepared } = current();
      const statement = prepared.get(text) ?? connection.prepare(text);
      prepared.set(text, statement);
      return statement;
    },
    get isOpen() {
      return isOpen;
    },
    get isTransaction() {
      requireOpen();
      return current().connection.isTransaction;
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      giveBack();
    },
  };
}
