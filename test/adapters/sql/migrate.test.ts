import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import type { Engine } from '../../../src/adapters/sql/engine.ts';
import { migrate } from '../../../src/adapters/sql/migrate.ts';
import { openPostgres } from '../../../src/adapters/sql/postgres/open-postgres.ts';
import { openSqlite } from '../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { systemPlatform } from '../../../src/app/system-platform.ts';
import { formerTables } from '../../engines/former-database.ts';
import { postgresServer } from '../../support/postgres.ts';
import { steadyTimersOverSqlite } from '../../support/steady-time.ts';
import { temporaryFile } from './temporary-file.ts';

const MIGRATIONS = new URL('../../../src/adapters/sql/migrations/', import.meta.url);
const PROGRAM = new URL('./migrate-and-report.ts', import.meta.url).pathname;
const NOW = Date.UTC(2026, 10, 16);

const ENGINES: Readonly<Record<string, (context: TestContext) => Promise<Engine>>> = {
  SQLite: async (context) => openSqlite(temporaryFile(context), systemTimers),
  PostgreSQL: async () => openPostgres(await (await postgresServer()).createDatabase(), systemPlatform),
};

async function tablesOf(engine: Engine): Promise<readonly string[]> {
  const rows = await engine.all<{ name: string }>(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
    [],
  );
  return rows.map(({ name }) => name);
}

test('migrations are numbered from 1 without gaps, in the order of their names', async () => {
  const files = (await readdir(MIGRATIONS)).toSorted();
  assert.ok(files.length > 0);
  for (const [index, file] of files.entries()) {
    assert.match(file, /^\d{4}(-[a-z0-9]+)+\.sql$/);
    assert.equal(Number(file.slice(0, 4)), index + 1);
  }
});

test('an empty database gets every migration once; running again changes nothing', async (context) => {
  const engine = openSqlite(temporaryFile(context), systemTimers);
  context.after(() => engine.close());
  const files = await readdir(MIGRATIONS);
  const applied = await migrate(engine, systemTimers, NOW);
  assert.deepEqual(
    applied.map(({ version }) => version),
    files.map((file) => Number(file.split('-', 1)[0])).toSorted((a, b) => a - b),
  );
  const tables = await tablesOf(engine);
  assert.ok(tables.includes('outbound') && tables.includes('inbound') && tables.includes('audit'));
  assert.deepEqual(await migrate(engine, systemTimers, NOW + 1), []);
  assert.deepEqual(await tablesOf(engine), tables);
  const recorded = await engine.all<{ applied_at: number }>('select applied_at from schema_migration', []);
  assert.deepEqual(
    recorded.map(({ applied_at }) => applied_at),
    files.map(() => NOW),
  );
});

test('every table of documents, keys and calls is keyed by the tenant first', async (context) => {
  const engine = openSqlite(temporaryFile(context), systemTimers);
  context.after(() => engine.close());
  await migrate(engine, systemTimers, NOW);
  // A user of the authority may act for several tenants, who then share its turns.
  // The chain of the audit trail goes through the entries of all tenants.
  // What an installation of the authority serves and refuses holds for all tenants of it.
  // What happens is counted for all of them together.
  // After a restore nothing of anybody is sent.
  // People who sign in to the console run the service for all of them.
  const others = [
    'audit_adoption',
    'audit_seal',
    'code_list',
    'delivery_hold',
    'document_activity',
    'operator_account',
    'operator_session',
    'pace',
    'reference_refusal',
    'schema_migration',
    'service_process',
    'store_copy',
    'store_environment',
    'tenant',
    'traffic',
  ];
  for (const table of await tablesOf(engine)) {
    if (others.includes(table)) continue;
    const columns = await engine.all<{ name: string; pk: number }>(`pragma table_info(${table})`, []);
    assert.equal(columns.find(({ pk }) => pk === 1)?.name, 'tenant', table);
  }
});

test('what is in the tables survives running the migrations again', async (context) => {
  const path = temporaryFile(context);
  const first = openSqlite(path, systemTimers);
  await migrate(first, systemTimers, NOW);
  await first.transaction((sql) =>
    sql.run(
      `insert into tenant (edb, name, environment, outbound_enabled, created_at)
       values ('4030026000018', 'Alfa', 'test', 1, 0)`,
      [],
    ),
  );
  await first.close();
  const second = openSqlite(path, systemTimers);
  context.after(() => second.close());
  assert.deepEqual(await migrate(second, systemTimers, NOW), []);
  assert.equal((await second.get<{ name: string }>('select name from tenant', []))?.name, 'Alfa');
});

for (const [name, open] of Object.entries(ENGINES)) {
  test(`each step of a database in use is told before it begins, and nothing of a new one (${name})`, async (context) => {
    const [engine, created] = [await open(context), await open(context)];
    context.after(() => Promise.all([engine.close(), created.close()]));
    const steps: string[] = [];
    await formerTables(engine, 30);
    await engine.transaction((sql) =>
      sql.run(
        "insert into tenant (edb, name, environment, outbound_enabled, created_at) values ('1', 'Alfa', 'test', 1, 0)",
        [],
      ),
    );
    await migrate(engine, systemTimers, NOW, {
      onStep: (step) => steps.push(step),
      // What was told is not done yet.
      check: async (sql) => {
        const row = await sql.get<{ newest: number }>('select max(version) as newest from schema_migration', []);
        assert.equal(row?.newest, 30 + steps.length);
      },
    });
    const files = (await readdir(MIGRATIONS)).toSorted().slice(30);
    assert.deepEqual(
      steps.filter((step) => step.startsWith('migration')),
      files.map((file) => `migration ${Number(file.slice(0, 4))} (${file.slice(5, -4)}) is being applied`),
    );
    assert.equal(steps.includes('index outbound_by_due is being built'), engine.serverTime !== null);
    await migrate(created, systemTimers, NOW, { onStep: (step) => assert.fail(step) });
  });
}

test('a database of a newer program is refused and left as it is', async (context) => {
  const engine = openSqlite(temporaryFile(context), systemTimers);
  context.after(() => engine.close());
  await migrate(engine, systemTimers, NOW);
  await engine.transaction((sql) =>
    sql.run("insert into schema_migration (version, name, applied_at) values (9999, 'from-the-future', 0)", []),
  );
  const tables = await tablesOf(engine);
  await assert.rejects(migrate(engine, systemTimers, NOW), /version 9999, newer than this program/);
  assert.deepEqual(await tablesOf(engine), tables);
});

test('several programs that open a new database at the same moment all succeed, and each table exists once', async (context) => {
  const path = temporaryFile(context);
  const runs = await Promise.all(
    Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, path]),
    ),
  );
  const applied = runs.reduce((sum, { stdout }) => sum + Number(stdout), 0);
  const files = await readdir(MIGRATIONS);
  assert.equal(applied, files.length, 'each by one of them');
  const engine = openSqlite(path, systemTimers);
  context.after(() => engine.close());
  const versions = await engine.all<{ version: number }>('select version from schema_migration', []);
  assert.equal(versions.length, files.length);
  assert.equal(new Set(await tablesOf(engine)).size, (await tablesOf(engine)).length);
});

test('within one program, too, migrations at the same moment do no harm', async (context) => {
  const path = temporaryFile(context);
  const engines = [openSqlite(path, steadyTimersOverSqlite), openSqlite(path, steadyTimersOverSqlite)];
  context.after(async () => {
    for (const engine of engines) await engine.close();
  });
  const applied = await Promise.all([...engines, ...engines].map((engine) => migrate(engine, systemTimers, NOW)));
  const files = await readdir(MIGRATIONS);
  const versions = applied.flat().map(({ version }) => version);
  assert.deepEqual(
    versions.toSorted((a, b) => a - b),
    files.map((file) => Number(file.slice(0, 4))).toSorted((a, b) => a - b),
    'each by one of them',
  );
});
