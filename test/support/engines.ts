import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/open-sqlite.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { placeMigratedSqlite } from './migrated-sqlite.ts';
import { postgresServer } from './postgres.ts';
import { temporaryFolder } from './process.ts';
import { steadyTimersOverSqlite } from './steady-time.ts';

/** One program's view of a database. */
export type OpenDatabase = { readonly engine: Engine; readonly storage: Storage };

export type TestDatabase = OpenDatabase & {
  /** The same database once more, as another process would open it. Closed together with the first. */
  readonly openAgain: () => Promise<OpenDatabase>;
  /** Closes whatever is open and removes the database. */
  readonly close: () => Promise<void>;
};

type TestEngine = {
  readonly name: string;
  /** Makes a database without rows and tells how to open and how to remove it. */
  readonly create: () => Promise<{ readonly open: () => Engine; readonly remove: () => Promise<void> }>;
};

/** Every engine the storage suite runs on. */
const ENGINES: readonly TestEngine[] = [
  {
    name: 'SQLite',
    async create() {
      const folder = temporaryFolder();
      const path = join(folder, 'test.sqlite');
      await placeMigratedSqlite(path);
      return {
        open: () => openSqlite(path, steadyTimersOverSqlite),
        remove: () => rm(folder, { recursive: true, force: true }),
      };
    },
  },
  {
    name: 'PostgreSQL',
    async create() {
      const url = await (await postgresServer()).createMigratedDatabase();
      return {
        // On a busy machine hundreds of transactions may take their time; here that is no failure.
        open: () => openPostgres(url, systemPlatform, { connectMs: 60_000, statementMs: 60_000 }),
        // It goes at the end of the test file.
        remove: async () => undefined,
      };
    },
  },
];

/** Runs a suite once per engine, each time on a database of its own with all tables in place. */
export function onEveryEngine(guarantees: string, suite: (database: () => TestDatabase) => void): void {
  for (const engine of ENGINES) {
    describe(`${guarantees} (${engine.name})`, () => {
      let database: TestDatabase | null = null;
      before(async () => {
        database = await createDatabase(engine);
      });
      after(() => database?.close());
      suite(() => {
        if (database === null) throw new Error('The database is opened before the first test.');
        return database;
      });
    });
  }
}

/** A database of the embedded engine, for tests of what stands upon the storage. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const [embedded] = ENGINES;
  if (embedded === undefined) throw new Error('There is no engine.');
  return createDatabase(embedded);
}

async function createDatabase(engine: TestEngine): Promise<TestDatabase> {
  const { open, remove } = await engine.create();
  const opened: Engine[] = [];

  async function openAgain(): Promise<OpenDatabase> {
    const connected = open();
    opened.push(connected);
    await migrate(connected, systemTimers, 0);
    return { engine: connected, storage: createStorage(connected, systemRandom) };
  }

  return {
    ...(await openAgain()),
    openAgain,
    async close() {
      for (const connected of opened) await connected.close();
      await remove();
    },
  };
}
