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

export function createConnectionPool(path: string): ConnectionPool {
  const all: Pooled[] = [];
  const free: Pooled[] = [];

  function open(): Pooled {
    const pooled = { connection: openQuickly(path), prepared: new Map() };
    all.push(pooled);
    return pooled;
  }

  function giveBack(pooled: Pooled): void {
    const { connection } = pooled;
    if (connection.isTransaction) connection.exec('rollback');
    // Set by a process for its readers.
    connection.exec('pragma query_only = off');
    free.push(pooled);
  }

  return {
    take() {
      const pooled = free.pop() ?? open();
      return asJustOpened(pooled, () => giveBack(pooled));
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

function asJustOpened({ connection, prepared }: Pooled, giveBack: () => void): Connection {
  let isOpen = true;
  function requireOpen(): void {
    if (!isOpen) throw new Error('database is not open');
  }
  return {
    exec(text) {
      requireOpen();
      connection.exec(text);
    },
    prepare(text) {
      requireOpen();
      const statement = prepared.get(text) ?? connection.prepare(text);
      prepared.set(text, statement);
      return statement;
    },
    get isOpen() {
      return isOpen;
    },
    get isTransaction() {
      requireOpen();
      return connection.isTransaction;
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      giveBack();
    },
  };
}
