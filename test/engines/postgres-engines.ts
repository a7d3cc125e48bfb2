import { after, before } from 'node:test';
import type { Engine, Sql } from '../../src/adapters/sql/engine.ts';
import { openPostgres, type PostgresOptions } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { postgresServer } from '../support/postgres.ts';

/** Opens engines on one database of the test file's own, with all tables; they are closed when its tests are over. */
export function postgresEngines(): (options?: PostgresOptions) => Engine {
  const opened: Engine[] = [];
  let url = '';
  before(async () => {
    url = await (await postgresServer()).createMigratedDatabase();
  });
  // One of them may have been closed by its test.
  after(() => Promise.allSettled(opened.map((engine) => engine.close())));

  function open(options: PostgresOptions = {}): Engine {
    const engine = openPostgres(url, systemPlatform, { connectMs: 60_000, ...options });
    opened.push(engine);
    return engine;
  }

  return open;
}

/** A promise and the hand that keeps it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** Has the server fail with a code of its own. */
export function fail(sql: Sql, code: string): Promise<number> {
  return sql.run(`do $$ begin raise exception 'staged' using errcode = '${code}'; end $$`, []);
}
