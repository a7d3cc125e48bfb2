import { ServiceStopping } from '../../../../application/errors/service-unavailable.ts';
import type { Sql } from '../../engine.ts';
import type { Connection } from '../connection.ts';
import { translateError } from '../failure.ts';
import { statements, translated } from '../statements.ts';

type Snapshots = { readonly run: Sql['snapshot']; readonly close: () => void };

/**
 * Snapshots, each of which sees what was committed when it began. Short ones run one after the other on the same connection. A long one,
 * which lets others have their turn meanwhile, has a connection of its own, so that nobody waits for it; it ends with the database.
 */
export function createSnapshots(open: () => Connection): Snapshots {
  const shared = open();
  const sharedSql = statements(shared);
  const long = new Set<Connection>();
  let last: Promise<unknown> = Promise.resolve();

  async function runLong<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const own = translated(translateError, open);
    long.add(own);
    const requireOpen = () => {
      if (!long.has(own)) throw new ServiceStopping();
    };
    try {
      return await inTransaction(own, statements(own, translateError, requireOpen), work);
    } finally {
      if (long.delete(own)) own.close();
    }
  }

  return {
    run(work, span = 'short') {
      if (span === 'long') return runLong(work);
      const result = last.then(() => inTransaction(shared, sharedSql, work));
      last = result.catch(() => undefined);
      return result;
    },
    close() {
      for (const connection of [...long, shared]) connection.close();
      long.clear();
    },
  };
}

async function inTransaction<Result>(connection: Connection, sql: Sql, work: (sql: Sql) => Promise<Result>) {
  translated(translateError, () => {
    // The one before, where its end failed.
    end(connection);
    connection.exec('begin');
  });
  try {
    return await work(sql);
  } finally {
    if (connection.isOpen) translated(translateError, () => end(connection));
  }
}

/** After some errors (one of the disk) SQLite has ended it by itself, and that error is the one to tell. */
function end(connection: Connection): void {
  if (connection.isTransaction) connection.exec('commit');
}
