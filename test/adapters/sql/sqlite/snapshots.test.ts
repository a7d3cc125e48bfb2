import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { ServiceStopping } from '../../../../src/application/errors/service-stopping.ts';
import { temporaryFolder } from '../../../support/process.ts';

const open = () => openSqlite(join(temporaryFolder(), 'test.sqlite'), systemTimers);

test('a long snapshot sees one moment, and a short one does not wait for it', async () => {
  const engine = open();
  await engine.transaction((sql) => engine.script(sql, 'create table note (text text)'));
  const count = 'select count(*) as notes from note';
  const seen = await engine.snapshot(async (long) => {
    const before = await long.get<{ notes: number }>(count, []);
    await engine.transaction((sql) => sql.run('insert into note values ($1)', ['new']));
    const beside = await engine.snapshot((short) => short.get<{ notes: number }>(count, []));
    return [before?.notes, beside?.notes, (await long.get<{ notes: number }>(count, []))?.notes];
  }, 'long');
  assert.deepEqual(seen, [0, 1, 0]);
  await engine.close();
});

test('a long snapshot ends with the database', async () => {
  const engine = open();
  const reading = engine.snapshot(async (sql) => {
    await engine.close();
    return sql.get('select 1', []);
  }, 'long');
  await assert.rejects(reading, ServiceStopping);
});
