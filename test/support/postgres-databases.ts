import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';

export type PostgresDatabases = {
  /** Makes an empty database, with the options of `create database` if there are any, and returns its address. */
  readonly createDatabase: (options?: string) => Promise<string>;
  /** The same with all tables, for tests that are not about how they are made. */
  readonly createMigratedDatabase: () => Promise<string>;
  /** Removes whatever was created here: each database takes eight megabytes of disk. */
  readonly removeAll: () => Promise<void>;
  /** Where its sockets are. */
  readonly folder: string;
};

/** What a database with all tables is copied from: measured on a busy machine, 57 ms instead of 358 ms with the migrations. */
const TEMPLATE = 'migrated';
const DUPLICATE_DATABASE = '42P04';

/** Databases on the server with its sockets in the folder. */
export function databasesIn(folder: string): PostgresDatabases {
  const urlOf = (name: string) => `postgres://postgres@localhost/${name}?host=${encodeURIComponent(folder)}`;
  const created: string[] = [];

  async function administer(...statements: readonly string[]): Promise<void> {
    const client = new pg.Client({ connectionString: urlOf('postgres') });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  async function create(options: string): Promise<string> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await administer(`create database ${name} ${options} strategy file_copy`);
    created.push(name);
    return urlOf(name);
  }

  let template: Promise<void> | null = null;

  /** The first process that needs it makes it. It gets its name when it is complete, so nobody copies half of it. */
  async function makeTemplate(): Promise<void> {
    if (await exists(urlOf('postgres'), TEMPLATE)) return;
    const draft = `draft_${randomBytes(6).toString('hex')}`;
    await administer(`create database ${draft} strategy file_copy`);
    const engine = openPostgres(urlOf(draft), systemPlatform);
    await migrate(engine, systemTimers, 0);
    await engine.close();
    await administer(`alter database ${draft} rename to ${TEMPLATE}`).catch((error: { readonly code?: string }) => {
      // Another process was faster.
      if (error.code !== DUPLICATE_DATABASE) throw error;
    });
  }

  return {
    folder,
    removeAll: () => administer(...created.splice(0).map((name) => `drop database ${name} with (force)`)),
    createDatabase: (options = '') => create(options),
    async createMigratedDatabase() {
      template ??= makeTemplate();
      await template;
      return create(`template ${TEMPLATE}`);
    },
  };
}

async function exists(administration: string, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: administration });
  await client.connect();
  try {
    return (await client.query('select 1 from pg_database where datname = $1', [name])).rowCount === 1;
  } finally {
    await client.end();
  }
}
