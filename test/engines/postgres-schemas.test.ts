import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
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
