import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { Engine, Sql } from '../../../src/adapters/sql/engine.ts';
import { migrate } from '../../../src/adapters/sql/migrate.ts';
import { openSqlite } from '../../../src/adapters/sql/sqlite.ts';
import { temporaryFile } from './temporary-file.ts';

async function opened(test: TestContext): Promise<{ readonly path: string; readonly engine: Engine }> {
  const path = temporaryFile(test);
  const engine = openSqlite(path);
  test.after(() => engine.close());
  await migrate(engine, 0);
  return { path, engine };
}

async function pragma(sql: Sql, name: string): Promise<unknown> {
  return Object.values((await sql.get<Record<string, unknown>>(`pragma ${name}`, [])) ?? {})[0];
}

/** What PRAGMA synchronous answers for FULL: the log is flushed to disk before a commit returns. */
const FULL = 2;

test('writes are logged ahead, flushed at every commit, and references are enforced', async (context) => {
  const { engine } = await opened(context);
  const settings = (sql: Sql) =>
    Promise.all(['journal_mode', 'synchronous', 'foreign_keys'].map((name) => pragma(sql, name)));
  assert.deepEqual(await engine.transaction(settings), ['wal', FULL, 1]);
  assert.deepEqual(await settings(engine), ['wal', FULL, 1]);
});

test('the log mode is a property of the file: another program finds it so', async (context) => {
  const { path } = await opened(context);
  const other = new DatabaseSync(path);
  assert.equal(Object.values(other.prepare('pragma journal_mode').get() ?? {})[0], 'wal');
  other.close();
});

test('a write outside a transaction is refused', async (context) => {
  const { engine } = await opened(context);
  await assert.rejects(engine.run("delete from content where tenant = 'x'", []), /readonly/);
});

test('a number that stands for a parameter several times, or above nine, means the same parameter', async (context) => {
  const { engine } = await opened(context);
  const values = Array.from({ length: 12 }, (_, index) => `p${index + 1}`);
  const row = await engine.get(
    'select $1 as a, $12 as b, $2 as c, $1 as d, $10 as e, $3 as f, $4 as g, $5 as h, $6 as i, $7 as j, $8 as k, $9 as l, $11 as m',
    values,
  );
  assert.deepEqual(Object.values(row ?? {}).slice(0, 5), ['p1', 'p12', 'p2', 'p1', 'p10']);
});

test('closing waits for transactions that are under way and keeps what they wrote', async (context) => {
  const path = temporaryFile(context);
  const engine = openSqlite(path);
  await engine.transaction((sql) => engine.script(sql, 'create table note (text text)'));
  const writing = engine.transaction(async (sql) => {
    await new Promise((resolve) => setImmediate(resolve));
    await sql.run("insert into note values ('kept')", []);
  });
  await engine.close();
  await writing;
  const again = openSqlite(path);
  context.after(() => again.close());
  assert.deepEqual(
    (await again.all<{ text: string }>('select text from note', [])).map(({ text }) => text),
    ['kept'],
  );
});

test('a transaction on a closed database is refused at once and harms nobody', async (context) => {
  const engine = openSqlite(temporaryFile(context));
  await engine.close();
  const refused = engine.transaction(async () => 'never').catch((error: Error) => error.message);
  const patience = AbortSignal.timeout(2_000);
  const waited = new Promise((resolve) => patience.addEventListener('abort', () => resolve('still waiting')));
  assert.match(String(await Promise.race([refused, waited])), /not open/);
});

test('a full disk undoes the whole group, is named as the cause, and is over when there is room again', async (context) => {
  const { engine } = await opened(context);
  const insert = (size: number) =>
    engine.transaction((sql) =>
      sql.run('insert into content (tenant, sha256, bytes) values ($1, $2, $3)', [
        'x',
        Uint8Array.of(size % 251, size % 256),
        new Uint8Array(size),
      ]),
    );
  const limit = async (pages: number) =>
    engine.transaction(async (sql) => {
      const count = Number(await pragma(sql, 'page_count'));
      await engine.script(sql, `pragma max_page_count = ${count + pages}`);
    });
  await limit(20);
  const results = await Promise.allSettled([insert(10), insert(1_000_000), insert(20)]);
  const stored = await engine.get<{ files: number }>('select count(*) as files from content', []);
  assert.equal(stored?.files, results.filter(({ status }) => status === 'fulfilled').length);
  const [, tooLarge] = results;
  assert.ok(tooLarge?.status === 'rejected');
  const told = `${tooLarge.reason} ${(tooLarge.reason as Error).cause ?? ''}`;
  assert.match(told, /full/, 'the operator must be able to read the reason in the log');
  await limit(10_000);
  await insert(1_000_000);
});
