import assert from 'node:assert/strict';
import { copyFileSync, existsSync, renameSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { systemTimers } from '../../../../../src/adapters/platform/timers.ts';
import type { Engine } from '../../../../../src/adapters/sql/engine.ts';
import { openSqlite } from '../../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { isSafeBesideOthers } from '../../../../../src/adapters/sql/sqlite/threads/checkpoints.ts';
import { until } from '../../../../support/process.ts';
import { temporaryFile } from '../../temporary-file.ts';

const BURST = 250;
/** At which SQLite itself copies the log. */
const WHOLE_LOG_BYTES = 8_192 * 4_096;
const INSERT = 'insert into kept (number) values ($1)';

async function insert(engine: Engine, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  await Promise.all(numbers.map((number) => engine.transaction((sql) => sql.run(INSERT, [number]))));
}

/** What the database holds without its log; null while it is being written, or has no such table yet. */
function rowsWithoutLog(path: string): number | null {
  const copy = `${path}-copy`;
  copyFileSync(path, copy);
  try {
    using database = new DatabaseSync(copy);
    return Number(database.prepare('select count(*) as rows from kept').get()?.['rows']);
  } catch {
    return null;
  }
}

test('a version of SQLite in which two checkpoints may lose pages does without', () => {
  for (const version of ['3.51.3', '3.51.10', '3.52.0', '3.53.4', '4.0.0'])
    assert.ok(isSafeBesideOthers(version), version);
  for (const version of ['3.51.2', '3.50.7', '3.9.9', '2.99.99', '3', ''])
    assert.ok(!isSafeBesideOthers(version), version);
});

test('in a burst of transactions the log is copied into the database beside those that write', async (context) => {
  const path = temporaryFile(context);
  const engine = openSqlite(path, systemTimers);
  context.after(() => engine.close());
  await engine.transaction((sql) => sql.run('create table kept (number integer)', []));
  await insert(engine, BURST);
  await until('the database has them', () => (rowsWithoutLog(path) ?? 0) > 0);
  assert.ok(statSync(`${path}-wal`).size < WHOLE_LOG_BYTES, 'long before SQLite would have done so');
  await until('the database has some of those that come later', async () => {
    await insert(engine, BURST);
    return (rowsWithoutLog(path) ?? 0) > BURST;
  });
});

test('a database that was moved is not written to by another name, and copying goes on where it is put back', async (context) => {
  const path = temporaryFile(context);
  const engine = openSqlite(path, systemTimers);
  context.after(() => engine.close());
  await engine.transaction((sql) => sql.run('create table kept (number integer)', []));
  renameSync(path, `${path}-moved`);
  await assert.rejects(insert(engine, BURST), { name: 'ServiceUnavailable' });
  assert.ok(!existsSync(path), 'nobody has made another one');
  renameSync(`${path}-moved`, path);
  await insert(engine, BURST);
  await until('the database has them', () => (rowsWithoutLog(path) ?? 0) > 0);
});
