import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { refuseWithoutTables } from '../../src/adapters/sql/has-table.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { postgresEngines } from './postgres-engines.ts';

const open = postgresEngines();

const SCHEMAS_WITH_TABLES = `select cast(relnamespace as regnamespace) as name from pg_class where relname = 'schema_migration'`;

test('a schema that comes to stand before that of the tables does not get a second, empty set of them', async () => {
  const engine = open();
  // The search path of every role begins with the schema that is named after it.
  await engine.transaction((sql) => sql.run('create schema authorization postgres', []));
  assert.deepEqual(await migrate(engine, systemTimers, 0), []);
  assert.deepEqual(await engine.all(SCHEMAS_WITH_TABLES, []), [{ name: 'public' }]);
});

test('tables that the role does not see are not said to be missing: its schema and what the role needs are named', async () => {
  const refusal = (prepare: string) =>
    open().transaction(async (sql) => {
      await sql.run(prepare, []);
      await refuseWithoutTables(sql, 'DATABASE_URL');
    });
  const unseen = /The role of DATABASE_URL does not see the tables .* in the schema public: .* usage .* search_path/u;
  await open().transaction((sql) => sql.run('revoke usage on schema public from public', []));
  // A role that every server has.
  await assert.rejects(refusal('set local role pg_monitor'), unseen);
  await assert.rejects(refusal('set local search_path = elsewhere'), unseen);
  await refusal('set local role postgres');
});
