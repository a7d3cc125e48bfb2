import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { postgresServer } from '../support/postgres.ts';
import type { PostgresDatabases } from '../support/postgres-databases.ts';
import { findPostgresTools } from '../support/postgres-tools.ts';

const COLUMNS = `select attname as name, attcompression as method from pg_attribute
  where attrelid in (cast('content' as regclass), cast('outbound_payload' as regclass)) and attname in ('bytes', 'text')
  order by attname`;
const METHODS = `select 'lz4' = any (enumvals) as "hasLz4" from pg_settings where name = 'default_toast_compression'`;

/** By which method files and payloads are packed on a server, and whether it knows LZ4. */
async function compressionOn(context: TestContext, databases: PostgresDatabases) {
  const engine = openPostgres(await databases.createMigratedDatabase(), systemPlatform);
  context.after(() => engine.close());
  const [known] = await engine.all<{ hasLz4: string }>(METHODS, []);
  const bytes = new TextEncoder().encode('<line/>'.repeat(2_000));
  await engine.transaction((sql) => sql.run("insert into content values ('4030026000018', '\\x00', $1)", [bytes]));
  const stored = await engine.get<{ bytes: Uint8Array; method: string | null }>(
    'select bytes, pg_column_compression(bytes) as method from content',
    [],
  );
  assert.deepEqual(new Uint8Array(stored?.bytes ?? []), bytes);
  return { hasLz4: known?.hasLz4 === 't', method: stored?.method, columns: await engine.all(COLUMNS, []) };
}

function expected(hasLz4: boolean) {
  const method = hasLz4 ? 'l' : '';
  const columns = ['bytes', 'text'].map((name) => ({ name, method }));
  return { hasLz4, method: hasLz4 ? 'lz4' : 'pglz', columns };
}

test('files and payloads are packed with LZ4 where the server knows it, and as ever where it does not', async (context) => {
  const found = await compressionOn(context, await postgresServer());
  assert.deepEqual(found, expected(found.hasLz4));
});

const tools = await findPostgresTools();
const reason = typeof tools === 'string' && tools;

test('also on the server that the system has installed', { skip: reason }, async (context) => {
  assert.ok(typeof tools !== 'string');
  const found = await compressionOn(context, await tools.databases());
  assert.deepEqual(found, expected(found.hasLz4));
});
