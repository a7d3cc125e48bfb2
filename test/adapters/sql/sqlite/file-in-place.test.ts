import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { systemRandom } from '../../../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { ServiceUnavailable } from '../../../../src/application/errors/service-unavailable.ts';
import { newEdb, newSubmission } from '../../../engines/samples.ts';
import { placeMigratedSqlite } from '../../../support/migrated-sqlite.ts';
import { until } from '../../../support/process.ts';
import { temporaryFile } from '../temporary-file.ts';

const INSERT = 'insert into kept (bytes) values ($1)';

function isNotInPlace(error: unknown): boolean {
  return error instanceof ServiceUnavailable && /moved, removed or replaced/u.test((error.cause as Error).message);
}

test('nothing is written while the file of the database or its log is not in its place; it goes on when it is back', async (context) => {
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

  for (const file of [path, `${path}-wal`]) {
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
