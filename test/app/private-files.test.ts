import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { openSqlite } from '../../src/adapters/sql/sqlite/open-sqlite.ts';
import { openFoundation } from '../../src/app/foundation.ts';
import { readConfig } from '../../src/config.ts';
import { completeConfig } from '../../src/demo/credentials-key.ts';
import { commandsHere } from '../cli/commands-here.ts';
import { asOrdinaryUser, ORDINARY_USER } from '../support/ordinary-user.ts';
import { temporaryFolder } from '../support/process.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** The folder, then each of its files, with their modes. */
function modesOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder).toSorted();
  return Object.fromEntries([['.', modeOf(folder)], ...files.map((file) => [file, modeOf(join(folder, file))])]);
}

const PRIVATE = { '.': '700', 'credentials.key': '600', 'dostava.sqlite': '600' };
const WITH_LOG = { ...PRIVATE, 'dostava.sqlite-shm': '600', 'dostava.sqlite-wal': '600' };

test('database, write-ahead log, sealing key and their folder are for their owner alone, also when they existed otherwise', async () => {
  const umask = process.umask(0o022);
  try {
    const dataDir = join(temporaryFolder(), 'data');
    const config = readConfig({ DATA_DIR: dataDir });
    const first = await openFoundation(config);
    await completeConfig(config, systemRandom);
    assert.deepEqual(modesOf(dataDir), WITH_LOG);
    for (const file of readdirSync(dataDir)) chmodSync(join(dataDir, file), 0o644);
    chmodSync(dataDir, 0o755);
    // Beside a running process, as after a copy with cp -r.
    const second = await openFoundation(config);
    await completeConfig(config, systemRandom);
    assert.deepEqual(modesOf(dataDir), WITH_LOG);
    await second.engine.close();
    // As after a copy from a disk that is read-only.
    for (const file of ['dostava.sqlite', 'dostava.sqlite-wal']) chmodSync(join(dataDir, file), 0o400);
    chmodSync(dataDir, 0o500);
    await (await openFoundation(config)).engine.close();
    assert.deepEqual(modesOf(dataDir), WITH_LOG);
    await first.engine.close();
    assert.deepEqual(modesOf(dataDir), PRIVATE);
  } finally {
    process.umask(umask);
  }
});

test('a folder that all users share stays as it is; the database in it does not', async () => {
  const shared = join(temporaryFolder());
  chmodSync(shared, 0o1777);
  const { engine } = await openFoundation(readConfig({ DATA_DIR: shared }));
  await engine.close();
  assert.equal((statSync(shared).mode & 0o7777).toString(8), '1777');
  assert.equal(modeOf(join(shared, 'dostava.sqlite')), '600');
});

const NEEDS_ROOT = process.geteuid?.() === 0 ? false : 'only root can give a file to another user';

test('a database that is closed to this user is named with the reason, as is its log', {
  skip: NEEDS_ROOT,
}, async () => {
  for (const closed of ['dostava.sqlite', 'dostava.sqlite-wal']) {
    const folder = temporaryFolder();
    const path = join(folder, 'dostava.sqlite');
    await openSqlite(path, systemTimers).close();
    if (closed !== 'dostava.sqlite') chownSync(path, ORDINARY_USER, ORDINARY_USER);
    writeFileSync(join(folder, closed), '');
    chmodSync(join(folder, closed), 0o000);
    chmodSync(folder, 0o755);
    assert.throws(() => asOrdinaryUser(() => openSqlite(path, systemTimers)), {
      message: new RegExp(`^/.*/${closed} cannot be opened: it belongs to another user.*\\(chown -R\\)\\.$`, 'u'),
    });
  }
});

test('a folder that cannot be made is named with the reason', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  for (const folder of [file, join(file, 'below')]) {
    const [exitCode, said] = await commandsHere({ DATA_DIR: folder }).refusal('init');
    assert.deepEqual(
      [exitCode, said],
      [1, `The folder ${folder} cannot be made: it, or a part of its path, is a file.\n`],
    );
  }
});

test('a backup of a database that cannot be opened says which one and why', async () => {
  const [dataDir, folder] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(dataDir, 'dostava.sqlite'));
  const [, said] = await commandsHere({ DATA_DIR: dataDir }).refusal('backup', '--to', join(folder, 'backup'));
  assert.match(said, /dostava\.sqlite cannot be opened: EISDIR/u);
  assert.deepEqual(readdirSync(folder), []);
});

test('a backup, its checksum and what a restore leaves are for their owner alone, whatever lay there before', async () => {
  const umask = process.umask(0o022);
  try {
    const [dataDir, folder] = [temporaryFolder(), temporaryFolder()];
    const { json } = commandsHere({ DATA_DIR: dataDir });
    await json('init');
    const file = join(folder, 'backup');
    for (const left of [`${file}.part`, `${file}.sha256`]) writeFileSync(left, 'left by another run', { mode: 0o644 });
    await json('backup', '--to', file);
    assert.deepEqual([modeOf(file), modeOf(`${file}.sha256`)], ['600', '600']);
    chmodSync(join(dataDir, 'dostava.sqlite'), 0o644);
    writeFileSync(join(dataDir, 'dostava.sqlite.restoring'), '', { mode: 0o644 });
    const { setAside } = await json<{ readonly setAside: string }>('restore', '--from', file, '--force');
    assert.deepEqual([modeOf(join(dataDir, 'dostava.sqlite')), modeOf(setAside)], ['600', '600']);
  } finally {
    process.umask(umask);
  }
});
