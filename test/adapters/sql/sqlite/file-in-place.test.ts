import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { systemRandom } from '../../../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { addSubmissions } from '../../../../src/adapters/sql/stores/submissions/add-submissions.ts';
import { ServiceUnavailable } from '../../../../src/application/errors/service-unavailable.ts';
import { newEdb, newSubmission } from '../../../engines/samples.ts';
import { placeMigratedSqlite } from '../../../support/migrated-sqlite.ts';
import { until } from '../../../support/process.ts';
import { temporaryFile } from '../temporary-file.ts';

const INSERT = 'insert into kept (bytes) values ($1)';

function isNotInPlace(error: unknown): boolean {
  return error instanceof ServiceUnavailable && /moved, removed or replaced/u.test((error.cause as Error).message);
}

test('nothing is written while the file of the database, its log or the index of that is not in its place; it goes on when it is back', async (context) => {
  const path = temporaryFile(context);
  await placeMigratedSqlite(path);
  const engine = openSqlite(path, systemTimers);
  context.after(() => engine.close());
  const tenant = newEdb();
  const group = () => [newSubmission(tenant), newSubmission(tenant)];
  const ways = {
    'a transaction': () => engine.transaction((sql) => sql.run(INSERT, [new Uint8Array(1)])),
    'a large file': () => engine.runLargeWrite(INSERT, [new Uint8Array(9)]),
    'a group of submissions': () => engine.storeGroup(group(), systemRandom),
    'a long snapshot, which opens the file anew': () => engine.snapshot(async () => 'seen', 'long'),
  };
  await engine.transaction((sql) => sql.run('create table kept (id integer primary key, bytes blob)', []));
  await until('the thread of submissions is ready', ways['a group of submissions']);

  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const aside = `${file}.aside`;
    renameSync(file, aside);
    for (const [way, run] of Object.entries(ways)) await assert.rejects(run, isNotInPlace, `${way}: ${file} moved`);
    copyFileSync(aside, file);
    for (const [way, run] of Object.entries(ways)) await assert.rejects(run, isNotInPlace, `${way}: ${file} replaced`);
    rmSync(file);
    renameSync(aside, file);
  }
  assert.equal((await engine.all('select id from kept', [])).length, 0);
  for (const [way, run] of Object.entries(ways)) assert.notEqual(await run(), null, way);
  assert.equal((await engine.all('select id from kept', [])).length, 2);
});

const READ = 'select id from kept order by id';

/** The file is moved away, and a backup of an earlier moment is copied into its place. */
async function replaceByBackup(path: string) {
  const engine = openSqlite(path, systemTimers);
  await engine.transaction((sql) => sql.run('create table kept (id integer primary key, bytes blob)', []));
  const backup = new DatabaseSync(path);
  backup.exec(`vacuum into '${path}.backup'`);
  backup.close();
  for (const size of [9_000, 90_000, 900_000])
    await engine.transaction((sql) => sql.run(INSERT, [new Uint8Array(size)]));
  renameSync(path, `${path}.aside`);
  renameSync(`${path}.backup`, path);
  return engine;
}

function assertBothWhole(path: string): void {
  for (const [file, rows] of [[path, 0] as const, [`${path}.aside`, 3] as const]) {
    using connection = new DatabaseSync(file);
    assert.equal(connection.prepare(READ).all().length, rows, file);
    assert.deepEqual({ ...connection.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' }, file);
  }
}

test('the log of a file that was replaced is written into that file, not into the one in its place at the next start', async (context) => {
  const path = temporaryFile(context);
  const engine = await replaceByBackup(path);
  await engine.close();
  assertBothWhole(path);
});

test('the log is in the replaced file as soon as that is noticed, so that a kill does no harm', async (context) => {
  const path = temporaryFile(context);
  const engine = await replaceByBackup(path);
  context.after(() => engine.close());
  await assert.rejects(
    engine.transaction((sql) => sql.run(INSERT, [new Uint8Array(1)])),
    isNotInPlace,
  );
  assert.equal(statSync(`${path}-wal`).size, 0);
  assert.equal((await engine.all(READ, [])).length, 3, 'what was stored is still served');
});

for (const noticedBy of ['another group', 'a long snapshot'] as const) {
  test(`the log is emptied last, behind a group that is under way while ${noticedBy} notices the absence`, async (context) => {
    const path = temporaryFile(context);
    await placeMigratedSqlite(path);
    const engine = openSqlite(path, systemTimers);
    const tenant = newEdb();
    const group = () => engine.storeGroup([newSubmission(tenant), newSubmission(tenant)], systemRandom);
    await until('the thread is ready', group);
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    const underWay = group();
    await systemTimers.pause(300);
    renameSync(path, `${path}.aside`);
    await placeMigratedSqlite(path);
    // The thread asks for the lock again some time later.
    other.exec('rollback');
    other.close();
    const notice = noticedBy === 'another group' ? group : () => engine.snapshot(async () => 'seen', 'long');
    await assert.rejects(notice(), isNotInPlace);
    assert.notEqual(await underWay, null);
    await engine.close();
    for (const [file, documents] of [[path, 0] as const, [`${path}.aside`, 4] as const]) {
      using connection = new DatabaseSync(file);
      const found = connection.prepare('select count(*) as documents from outbound').get();
      assert.deepEqual({ ...found }, { documents }, file);
      assert.deepEqual({ ...connection.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' }, file);
    }
  });
}

test('the log of a database that is reached by a link is looked at where SQLite has it', async (context) => {
  const path = temporaryFile(context);
  symlinkSync(`${path}.elsewhere`, path);
  const engine = openSqlite(path, systemTimers);
  context.after(() => engine.close());
  const make = () => engine.transaction((sql) => sql.run('create table if not exists kept (id integer)', []));
  await make();
  rmSync(`${path}.elsewhere-wal`);
  await assert.rejects(make, isNotInPlace);
});

test('nothing is written while the system does not say which file is in the place of the database', async (context) => {
  const path = temporaryFile(context);
  const engine = openSqlite(path, systemTimers);
  context.after(() => engine.close());
  const make = () => engine.transaction((sql) => sql.run('create table if not exists kept (id integer)', []));
  await make();
  renameSync(path, `${path}.aside`);
  symlinkSync(path, path);
  await assert.rejects(make, (error) => error instanceof ServiceUnavailable && /ELOOP/u.test(String(error.cause)));
  rmSync(path);
  renameSync(`${path}.aside`, path);
  await make();
});

const INSERT_IN_OTHER_PROCESS = `
  import { DatabaseSync } from 'node:sqlite';
  new DatabaseSync(process.argv[1]).exec('insert into kept (bytes) values (1)');
  process.exit(0);`;

/** Whose index was removed before another process stored something. */
async function withoutIndex(context: TestContext) {
  const path = temporaryFile(context);
  const engine = openSqlite(path, systemTimers);
  await engine.transaction((sql) => sql.run('create table kept (id integer primary key, bytes blob)', []));
  rmSync(`${path}-shm`);
  const other = ['--input-type=module', '--no-warnings', '-e', INSERT_IN_OTHER_PROCESS, path];
  execFileSync(process.execPath, other);
  return { path, engine };
}

test('without the index of the log nothing is written over what another process has stored meanwhile', async (context) => {
  const { path, engine } = await withoutIndex(context);
  await assert.rejects(
    engine.transaction((sql) => sql.run(INSERT, [new Uint8Array(1)])),
    isNotInPlace,
  );
  // As at the next start, while this process has ended without a close.
  for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${path}.copy${suffix}`);
  using copy = new DatabaseSync(`${path}.copy`);
  assert.equal(copy.prepare(READ).all().length, 1);
  await engine.close();
});

test('a stop without the index of the log takes nothing from what another process has stored meanwhile', async (context) => {
  const { path, engine } = await withoutIndex(context);
  await engine.close();
  const again = openSqlite(path, systemTimers);
  context.after(() => again.close());
  assert.equal((await again.all(READ, [])).length, 1);
  await again.transaction((sql) => sql.run(INSERT, [new Uint8Array(1)]));
});

test('a thread of submissions that starts while another file is in the place does not work on that one when the right one is back', async (context) => {
  const path = temporaryFile(context);
  await placeMigratedSqlite(path);
  const engine = openSqlite(path, systemTimers);
  context.after(() => engine.close());
  const tenant = newEdb();
  const first = newSubmission(tenant);
  await engine.transaction((sql) => addSubmissions(sql, systemRandom, [first], true));
  const group = () =>
    engine.storeGroup([newSubmission(tenant), { ...newSubmission(tenant), key: first.key }], systemRandom);
  renameSync(path, `${path}.aside`);
  await placeMigratedSqlite(path);
  await until('the thread is ready, and refused', () => group().catch((error: unknown) => isNotInPlace(error) || null));
  rmSync(path);
  renameSync(`${path}.aside`, path);
  assert.deepEqual(await group(), { taken: [false, true] }, 'it is the file with the first document');
});
