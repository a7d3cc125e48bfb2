import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { type Connection, statementText } from '../../../src/adapters/sql/sqlite/connection.ts';
import { openSqlite } from '../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { DATABASE_FILE } from '../../../src/app/foundation.ts';
import { copyDatabase, createFolder, faultyConnection, type RunStatement, slowEngine } from './database.ts';
import type { HistoryDatabase } from './history-database.ts';

/** A copy of the template in a file of its own, to which every process has several connections. */
export function createSqliteDatabase(templatePath: string): HistoryDatabase {
  const folder = createFolder();
  const path = join(folder.path, DATABASE_FILE);
  copyDatabase(templatePath, path);
  const observer = new DatabaseSync(path, { readOnly: true });
  const changes = observer.prepare('pragma data_version');
  return {
    committed: {
      version: () => Number(changes.get()?.['data_version']),
      async watch<Row>(text: string) {
        const statement = observer.prepare(statementText(text));
        return () => statement.all() as Row[];
      },
      async read<Row>(text: string, parameters: Parameters<HistoryDatabase['committed']['read']>[1]) {
        return observer.prepare(statementText(text)).all(...parameters) as Row[];
      },
    },
    open({ platform, life, chance, run }, onOpen) {
      const connections: Connection[] = [];
      let isOpen = false;
      const runOnceOpen: RunStatement = (targets, work) => (isOpen ? run(targets, work) : work());
      const engine = openSqlite(path, platform.timers, (file) => {
        const connection = faultyConnection(file, runOnceOpen);
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
    openForChecks: () => openSqlite(path, systemTimers),
    async close() {
      observer.close();
      folder.remove();
    },
  };
}
