import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { migrate } from '../../../../src/adapters/sql/migrate.ts';
import { sqliteBackupFiles } from '../../../../src/adapters/sql/sqlite/backup-files.ts';
import { lockDraft, openExclusively } from '../../../../src/adapters/sql/sqlite/exclusive-connection.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { systemPlatform } from '../../../../src/app/system-platform.ts';
import { backUpDatabase } from '../../../../src/application/maintenance/back-up-database.ts';
import { temporaryFile } from '../temporary-file.ts';

test('a database that a copy or a restore has for itself is named, with what to wait for', async (t) => {
  const path = temporaryFile(t);
  await openSqlite(path, systemTimers).close();
  const copying = openExclusively(path);
  assert.throws(() => openSqlite(path, systemTimers), {
    message: new RegExp(
      `^${path} is in use: .+"dostava migrate-store" and "dostava restore" .+ when that has ended\\.$`,
      'u',
    ),
  });
  copying.close();
  await openSqlite(path, systemTimers).close();
});

test('a run that comes while another one ends does not take a lock that nobody else would see', (t) => {
  const draft = `${temporaryFile(t)}.part`;
  const ending = lockDraft(draft);
  const { exec } = DatabaseSync.prototype;
  const lock = t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, text: string) {
    lock.mock.restore();
    // It has the file open, and the other one removes it.
    ending[Symbol.dispose]();
    exec.call(this, text);
  });
  assert.throws(() => lockDraft(draft), { message: /Another run is writing/u });
  const next = lockDraft(draft);
  assert.throws(() => lockDraft(draft), { message: /Another run is writing/u });
  next[Symbol.dispose]();
});

test('the checksum of a backup is not written through a link that somebody puts in its place', async (t) => {
  const draft = `${temporaryFile(t)}.part`;
  const [file, victim] = [`${draft}.backup`, `${draft}.victim`];
  writeFileSync(draft, 'a backup');
  writeFileSync(victim, 'something else');
  const { rm } = promises;
  const removal = t.mock.method(promises, 'rm', async (...given: Parameters<typeof rm>) => {
    await rm(...given);
    symlinkSync(victim, `${file}.sha256`);
  });
  syncBuiltinESMExports();
  t.after(() => {
    removal.mock.restore();
    syncBuiltinESMExports();
  });
  await assert.rejects(sqliteBackupFiles('unused', systemPlatform).publish(draft, file), /EEXIST/u);
  assert.equal(readFileSync(victim, 'utf8'), 'something else');
  assert.equal(existsSync(file), false);
});

test('names that begin like an address are those of files: what is locked, copied and checked is the file of that name', async (t) => {
  const here = process.cwd();
  process.chdir(dirname(temporaryFile(t)));
  t.after(() => process.chdir(here));
  const database = join(process.cwd(), 'dostava.sqlite');
  const engine = openSqlite(database, systemTimers);
  await migrate(engine, systemTimers, 0);
  await engine.close();
  const back = backUpDatabase({ files: sqliteBackupFiles(database, systemPlatform) });
  const { bytes } = await back('file:backup?mode=memory', () => undefined);
  assert.equal(bytes, statSync(database).size);
  assert.deepEqual(
    readdirSync('.')
      .filter((name) => name.includes('backup'))
      .toSorted(),
    ['file:backup?mode=memory', 'file:backup?mode=memory.sha256'],
  );
  copyFileSync(database, 'file:other.sqlite');
  openExclusively('file:other.sqlite').close();
});

test('a backup does not get a name under which SQLite would take it for the log of the database, and write over it', async (t) => {
  const database = temporaryFile(t);
  const engine = openSqlite(database, systemTimers);
  await migrate(engine, systemTimers, 0);
  await engine.close();
  const back = backUpDatabase({ files: sqliteBackupFiles(database, systemPlatform) });
  for (const suffix of ['-wal', '-shm', '-journal', '-room']) {
    await assert.rejects(
      back(`${database}${suffix}`, () => undefined),
      /would be taken for a part of it/u,
    );
    assert.equal(existsSync(`${database}${suffix}`), false);
  }
  const dated = `${database}-2026-11-19`;
  assert.equal((await back(dated, () => undefined)).file, dated);
});
