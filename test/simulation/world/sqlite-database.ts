import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { type Connection, statementText } from '../../../src/adapters/sql/sqlite/connection.ts';
import { openSqlite } from '../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { DATABASE_FILE } from '../../../src/app/foundation.ts';
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts';
import { createFolder, faultyConnection, type RunStatement, slowEngine, type Touched } from './database.ts';
import type { HistoryDatabase } from './history-database.ts';

type Databases = { readonly create: () => HistoryDatabase; readonly remove: () => void };

/** Histories one after another in one file, whose tables are put back to the template's rows before each. */
export function openSqliteDatabases(templatePath: string): Databases {
  const folder = createFolder();
  const path = join(folder.path, DATABASE_FILE);
  copyFileSync(templatePath, path);
  const location = withinProcess(path);
  const restoring = new DatabaseSync(location, { enableForeignKeyConstraints: false });
  restoring.exec('pragma journal_mode = wal; pragma synchronous = off');
  const restore = originalRows(restoring, templatePath);
  const pool = createConnectionPool(location);
  const observer = new DatabaseSync(location);
  observer.exec('pragma query_only = on');
  return {
    create() {
      restoring.exec(restore);
      return createSqliteDatabase(path, pool, observer);
    },
    remove() {
      pool.closeAll();
      observer.close();
      restoring.close();
      folder.remove();
    },
  };
}

/**
 * The same locks, between the connections of one process alone: without asking the system for each of them, a statement takes a
 * fraction of the time.
 */
function withinProcess(path: string): string {
  const { href } = pathToFileURL(path);
  return process.platform === 'win32' ? href : `${href}?vfs=unix-excl`;
}

/** What puts every table back, and empties the write-ahead log. */
function originalRows(database: DatabaseSync, templatePath: string): string {
  database.prepare('attach ? as original').run(templatePath);
  const tables = database
    .prepare("select name from original.sqlite_schema where type = 'table' and name not like 'sqlite^_%' escape '^'")
    .all()
    .map(({ name }) => String(name));
  return [
    'begin immediate',
    ...tables.map((name) => `delete from main.${name}`),
    ...tables
      .filter((name) => database.prepare(`select 1 from original.${name} limit 1`).get() !== undefined)
      .map((name) => `insert into main.${name} select * from original.${name}`),
    'commit',
    'pragma main.wal_checkpoint(truncate)',
  ].join(';\n');
}

function createSqliteDatabase(path: string, pool: ConnectionPool, observer: DatabaseSync): HistoryDatabase {
  const versions = { documents: 0, turns: 0 };
  let writer: number | null = null;
  return {
    committed: {
      versions: () => versions,
      writer: () => writer,
      async watch<Row>(text: string) {
        const statement = observer.prepare(statementText(text));
        return () => statement.all() as Row[];
      },
      async read<Row>(text: string, parameters: Parameters<HistoryDatabase['committed']['read']>[1]) {
        return observer.prepare(statementText(text)).all(...parameters) as Row[];
      },
    },
    open({ index, platform, life, chance, run }, onOpen) {
      const connections: Connection[] = [];
      const onCommit = ({ documents, turns }: Touched) => {
        versions.documents += documents ? 1 : 0;
        versions.turns += turns ? 1 : 0;
        writer = index;
      };
      let isOpen = false;
      const runOnceOpen: RunStatement = (targets, work) => (isOpen ? run(targets, work) : work());
      const engine = openSqlite(path, platform.timers, () => {
        const connection = faultyConnection({ connection: pool.take(), run: runOnceOpen, onCommit });
        connections.push(connection);
        return connection;
      });
      isOpen = true;
      onOpen(slowEngine(engine, life, chance.of('statements')), platform.clock);
      // An open transaction is rolled back with its connection, as when a process is killed.
      return () => {
        for (const connection of connections) connection.close();
      };
    },
    pace: {},
    server: null,
    openForChecks: () => openSqlite(path, systemTimers, pool.take),
    close: async () => undefined,
  };
}
