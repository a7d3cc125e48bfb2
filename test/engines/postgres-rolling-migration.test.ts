import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { postgresServer } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { FORMER_INSERT, formerDatabase } from './former-database.ts';

/** As long as in operation: processes of the version before give a statement up after this time. */
const STATEMENT_MS = 15_000;

let inserted = 0;

/** A database of the version before, with a process of each version. */
async function former() {
  const url = await (await postgresServer()).createDatabase();
  const engine = openPostgres(url, systemPlatform);
  const other = openPostgres(url, systemPlatform, { statementMs: STATEMENT_MS });
  await formerDatabase(engine, 50);
  return {
    engine,
    other,
    url,
    async write() {
      inserted += 1;
      await other.transaction((sql) => sql.run(FORMER_INSERT, ['', `new-${inserted}`, '/z']));
    },
  };
}

/** Runs a statement in a transaction that stays open until it is told to end. */
async function holding(engine: Engine, text: string): Promise<{ readonly end: () => Promise<void> }> {
  const holds = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const ended = engine.transaction(async (sql) => {
    await engine.script(sql, 'set local idle_in_transaction_session_timeout = 0');
    await engine.script(sql, text);
    holds.resolve();
    await mayEnd.promise;
  });
  await holds.promise;
  return {
    async end() {
      mayEnd.resolve();
      await ended;
    },
  };
}

const INDEX = "select indisvalid::int as valid from pg_index where indexrelid = to_regclass('audit_by_block')";

const isIndexValid = async (engine: Engine) => (await engine.get<{ valid: number }>(INDEX, []))?.valid === 1;

async function versionOf(engine: Engine): Promise<number> {
  const row = await engine.get<{ version: number }>('select max(version) as version from schema_migration', []);
  return row?.version ?? 0;
}

test('a migration does not keep its locks while the next one runs', async (t) => {
  const { engine, other, write } = await former();
  t.after(() => Promise.all([engine.close(), other.close()]));
  const held = await holding(other, 'lock table listing_block in access exclusive mode');
  const migrated = migrate(engine, systemTimers, 0);
  await until('migration 7', async () => (await versionOf(other)) === 7 || null);
  await write();
  await held.end();
  await migrated;
  await write();
});

test('a migration that waits for a long read does not keep those behind it waiting', async (t) => {
  const { engine, other, write } = await former();
  t.after(() => Promise.all([engine.close(), other.close()]));
  const held = await holding(other, 'select 1 from audit limit 1');
  const migrated = migrate(engine, systemTimers, 0);
  await until('the migration waits', async () =>
    (await other.get("select 1 from pg_locks where mode = 'AccessExclusiveLock' and not granted", [])) === null
      ? null
      : true,
  );
  for (let count = 0; count < 3; count += 1) await write();
  assert.equal(await versionOf(other), 5);
  await held.end();
  assert.ok((await migrated).some(({ version }) => version === 6));
});

test('others write while the index over all entries is built', async (t) => {
  const { engine, other, url, write } = await former();
  t.after(() => Promise.all([engine.close(), other.close()]));
  const frozen = openPostgres(url, systemPlatform, { statementMs: 600_000 });
  t.after(() => frozen.close());
  const mayEnd = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const reading = frozen.snapshot(async (sql) => {
    // Of no table that a migration changes: that would wait for the reader itself.
    await sql.get('select count(*) from pg_class', []);
    begun.resolve();
    await mayEnd.promise;
  });
  await begun.promise;
  const migrated = migrate(engine, systemTimers, 0);
  await until('the index is begun', async () => ((await other.get(INDEX, [])) === null ? null : true));
  for (let count = 0; count < 3; count += 1) await write();
  assert.equal(await isIndexValid(other), false, 'it waits for the reader');
  mayEnd.resolve();
  await reading;
  await migrated;
  assert.equal(await isIndexValid(other), true);
});

test('an index that a process left unfinished is built by the next one', async (t) => {
  const { engine, other } = await former();
  t.after(() => Promise.all([engine.close(), other.close()]));
  await migrate(engine, systemTimers, 0);
  for (const damage of [
    "update pg_index set indisvalid = false where indexrelid = to_regclass('audit_by_block')",
    'drop index audit_by_block',
  ]) {
    await other.transaction((sql) => other.script(sql, damage));
    assert.equal(await isIndexValid(other), false);
    await Promise.all([migrate(engine, systemTimers, 0), migrate(other, systemTimers, 0)]);
    assert.equal(await isIndexValid(other), true);
  }
});

test('of several that build an index in the place of one that died, none fails because another removes it too', async (t) => {
  const url = await (await postgresServer()).createMigratedDatabase();
  let collisions = 1;
  function colliding(given: unknown) {
    const client = new pg.Client(given as pg.ClientConfig);
    const query = client.query.bind(client) as (statement: unknown, values?: unknown) => Promise<unknown>;
    const send = (statement: string | pg.QueryConfig, values?: unknown) => {
      const isRemoval = typeof statement !== 'string' && statement.text.startsWith('drop index');
      if (!isRemoval || collisions === 0) return query(statement, values);
      collisions -= 1;
      return query("do $$ begin raise exception 'tuple concurrently updated' using errcode = 'XX000'; end $$");
    };
    return Object.assign(client, { query: send });
  }
  const engine = openPostgres(url, systemPlatform, {
    createPool: (settings) => new pg.Pool({ ...settings, Client: colliding } as unknown as pg.PoolConfig),
  });
  t.after(() => engine.close());
  await engine.run('drop index audit_by_block', []);
  await engine.afterMigrations();
  assert.deepEqual([collisions, await isIndexValid(engine)], [0, true]);
  collisions = Number.POSITIVE_INFINITY;
  await engine.run('drop index audit_by_block', []);
  await assert.rejects(engine.afterMigrations(), { code: 'XX000' }, 'what goes on for ever is no collision');
});
