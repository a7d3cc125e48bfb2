import assert from 'node:assert/strict';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import type { Sql } from '../../../../src/adapters/sql/engine.ts';
import { connect } from '../../../../src/adapters/sql/sqlite/connection.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { ServiceStopping, ServiceUnavailable } from '../../../../src/application/errors/service-unavailable.ts';
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

test('a snapshot that meets a failure of the disk tells it, although SQLite has ended the snapshot by itself', async () => {
  const path = join(temporaryFolder(), 'test.sqlite');
  const engine = openSqlite(path, systemTimers);
  await engine.transaction(async (sql) => {
    await engine.script(sql, 'create table note (text text)');
    for (let pages = 0; pages < 100; pages += 1) await sql.run('insert into note values ($1)', ['x'.repeat(4_000)]);
  });
  const read = (sql: Sql) => sql.all('select text from note', []);
  const isTold = (error: unknown) => error instanceof ServiceUnavailable && /disk I\/O/u.test(String(error.cause));
  truncateSync(`${path}-wal`, 100_000);
  for (const span of ['short', 'long'] as const) await assert.rejects(engine.snapshot(read, span), isTold, span);
  truncateSync(`${path}-wal`, 0);
  await assert.rejects(
    engine.snapshot(read, 'long'),
    ServiceUnavailable,
    'of the connection that a long one opens as well',
  );
  await engine.close();
});

test('whose end failed, as where there is no memory left, is ended by whoever comes next: a snapshot, or a transaction', async () => {
  const failing = new Set<string>();
  const path = join(temporaryFolder(), 'test.sqlite');
  const engine = openSqlite(path, systemTimers, (file) => {
    const connection = connect(file);
    for (const name of ['exec', 'prepare'] as const) {
      const method = connection[name].bind(connection) as (text: string) => never;
      connection[name] = (text: string) => {
        if (failing.delete(text)) throw Object.assign(new Error('out of memory'), { errcode: 7 });
        return method(text);
      };
    }
    return connection;
  });
  const isTold = (error: unknown) => error instanceof ServiceUnavailable;
  failing.add('commit');
  await assert.rejects(
    engine.snapshot(async () => 'seen'),
    isTold,
  );
  assert.equal(await engine.snapshot(async () => 'seen again'), 'seen again');
  failing.add('rollback');
  const refusal = new Error('of this work');
  const make = async (sql: Sql) => {
    await sql.run('create table note (text text)', []);
    throw refusal;
  };
  await assert.rejects(engine.transaction(make), refusal);
  await assert.rejects(engine.transaction(make), refusal);
  await engine.close();
});
