import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import type { Engine } from '../../../../src/adapters/sql/engine.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { replaceDatabase } from '../../../../src/adapters/sql/sqlite/replace-database.ts';
import { temporaryFolder, until } from '../../../support/process.ts';

function makeDatabase(path: string, name: string): void {
  const database = new DatabaseSync(path);
  database.exec(`pragma journal_mode = wal; create table t (name text); insert into t values ('${name}')`);
  database.close();
}

function nameIn(path: string): unknown {
  using database = new DatabaseSync(path, { readOnly: true });
  return database.prepare('select name from t').get()?.['name'];
}

test('whenever a replacement is cut off, one of the two databases is in place', async () => {
  const folder = temporaryFolder();
  const [database, draft] = [join(folder, 'd.sqlite'), join(folder, 'd.sqlite.restoring')];
  makeDatabase(database, 'old');
  makeDatabase(draft, 'new');
  const atThatMoment = temporaryFolder();
  const setAside = await replaceDatabase(database, 0, async () => {
    // What a process leaves that is killed right before the exchange.
    cpSync(folder, atThatMoment, { recursive: true });
    renameSync(draft, database);
  });
  assert.deepEqual(readdirSync(folder).toSorted(), ['d.sqlite', basename(setAside ?? '')]);
  assert.equal(nameIn(join(atThatMoment, 'd.sqlite')), 'old');
  assert.equal(nameIn(database), 'new');
  assert.equal(nameIn(setAside ?? ''), 'old');
});

const WRITE_IN_OTHER_PROCESS = `
  import { DatabaseSync } from 'node:sqlite';
  try {
    new DatabaseSync(process.argv[1]).exec("update t set name = 'of another process'");
    console.log('written');
  } catch ({ message }) {
    console.log(message);
  }`;

test('a database that gets no second name is copied, and others are kept out until the new one is in its place', async () => {
  const folder = temporaryFolder();
  const [database, draft] = [join(folder, 'd.sqlite'), join(folder, 'd.sqlite.restoring')];
  makeDatabase(database, 'old');
  makeDatabase(draft, 'new');
  // The name is there already, so it cannot be linked.
  writeFileSync(`${database}.replaced-1970-01-01T00-00-00-000Z`, '', { mode: 0o600 });
  const setAside = await replaceDatabase(database, 0, async () => {
    const other = ['--input-type=module', '--no-warnings', '-e', WRITE_IN_OTHER_PROCESS, database];
    assert.equal(execFileSync(process.execPath, other, { encoding: 'utf8' }).trim(), 'database is locked');
    renameSync(draft, database);
  });
  assert.deepEqual([nameIn(database), nameIn(setAside ?? '')], ['new', 'old']);
});

test('a log that is left beside a database that cannot be read is not applied to the new one', async () => {
  const folder = temporaryFolder();
  const [database, draft] = [join(folder, 'd.sqlite'), join(folder, 'd.sqlite.restoring')];
  writeFileSync(database, 'no database');
  for (const suffix of ['-wal', '-shm', '-journal']) writeFileSync(`${database}${suffix}`, 'its log');
  makeDatabase(draft, 'new');
  const setAside = await replaceDatabase(database, 0, async () => {
    for (const suffix of ['-wal', '-shm', '-journal']) assert.ok(!existsSync(`${database}${suffix}`), suffix);
    renameSync(draft, database);
  });
  assert.equal(nameIn(database), 'new');
  assert.equal(readFileSync(setAside ?? '', 'utf8'), 'no database');
});

const REPLACE_WHEN_OPENED = `
  import { existsSync, readdirSync, readlinkSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
  import { replaceDatabase } from ${JSON.stringify(new URL('../../../../src/adapters/sql/sqlite/replace-database.ts', import.meta.url).href)};
  const [database, draft] = process.argv.slice(1);
  const descriptors = '/proc/' + process.ppid + '/fd/';
  const targetOf = (one) => { try { return readlinkSync(descriptors + one); } catch { return ''; } };
  const isOpened = () => readdirSync(descriptors).some((one) => targetOf(one) === realpathSync(database));
  await replaceDatabase(database, 0, async () => {
    writeFileSync(database + '.locked', '');
    while (!isOpened()) await new Promise((resolve) => setTimeout(resolve, 1));
    renameSync(draft, database);
  });`;

test('whoever opens a database while it is being replaced is told so, and works on the new one', async () => {
  const folder = temporaryFolder();
  const [database, draft] = [join(folder, 'd.sqlite'), join(folder, 'd.sqlite.restoring')];
  makeDatabase(database, 'old');
  makeDatabase(draft, 'new');
  const options = ['--input-type=module', '--no-warnings', '-e', REPLACE_WHEN_OPENED];
  const replacing = spawn(process.execPath, [...options, database, draft], { stdio: 'inherit' });
  await until('it is locked', () => existsSync(`${database}.locked`) || null);
  const engine = openWhenFree(database);
  await engine.transaction((sql) => sql.run("insert into t values ('stored')", []));
  await engine.close();
  await until('it is replaced', () => replacing.exitCode);
  using found = new DatabaseSync(database);
  const names = found.prepare('select name from t').all();
  assert.deepEqual(
    names.map(({ name }) => name),
    ['new', 'stored'],
  );
});

/** A service whose start is refused is started again. */
function openWhenFree(database: string): Engine {
  for (;;) {
    try {
      return openSqlite(database, systemTimers);
    } catch (error) {
      assert.match(String(error), /is in use|was replaced at the moment/u);
    }
  }
}

test('where there is no room for a copy of the old database, no part of one is left, and the old one stays', () => {
  const folder = temporaryFolder();
  const [database, draft] = [join(folder, 'd.sqlite'), join(folder, 'd.sqlite.restoring')];
  makeDatabase(database, 'old '.repeat(100_000));
  makeDatabase(draft, 'new');
  // The name is there already, so it cannot be linked.
  writeFileSync(`${database}.replaced-1970-01-01T00-00-00-000Z`, '', { mode: 0o600 });
  const program = new URL('./replace-within-limit.ts', import.meta.url).pathname;
  const call = [process.execPath, '--no-warnings', program, database, draft];
  const outcome = execFileSync('/bin/sh', ['-c', 'ulimit -f 200 && exec "$0" "$@"', ...call], { encoding: 'utf8' });
  assert.match(outcome, /\.replaced-1970-01-01T00-00-00-000Z could not be written: /u);
  assert.deepEqual(readdirSync(folder).toSorted(), ['d.sqlite', 'd.sqlite.restoring']);
  assert.equal(nameIn(database), 'old '.repeat(100_000));
});

const REPLACE = `
  import { replaceDatabase } from ${JSON.stringify(new URL('../../../../src/adapters/sql/sqlite/replace-database.ts', import.meta.url).href)};
  await replaceDatabase(process.argv[1], 0, async () => undefined);`;

test('a part of the old database has never the name of all of it, also where the process is killed while it is copied', async () => {
  const folder = temporaryFolder();
  const database = join(folder, 'd.sqlite');
  makeDatabase(database, 'old '.repeat(10_000_000));
  // The name is there already, so it cannot be linked.
  const setAside = `${database}.replaced-1970-01-01T00-00-00-000Z`;
  writeFileSync(setAside, '', { mode: 0o600 });
  const replacing = spawn(process.execPath, ['--input-type=module', '--no-warnings', '-e', REPLACE, database], {
    stdio: 'inherit',
  });
  const isBegun = () =>
    readdirSync(folder).some((name) => name.includes('replaced') && statSync(join(folder, name)).size > 0);
  await until('the copy has begun', () => isBegun() || null);
  replacing.kill('SIGKILL');
  await until('it is killed', () => replacing.signalCode);
  assert.equal(statSync(setAside).size, 0);
  // The next one takes nothing over from it.
  assert.equal(await replaceDatabase(database, 0, async () => undefined), setAside);
  assert.deepEqual(readdirSync(folder).toSorted(), ['d.sqlite', basename(setAside)]);
  assert.equal(nameIn(setAside), 'old '.repeat(10_000_000));
});
