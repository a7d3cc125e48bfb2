import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { systemTimers } from '../../../../../src/adapters/platform/timers.ts';
import {
  fromThreadFailure,
  rolledBackByItself,
  toThreadFailure,
} from '../../../../../src/adapters/sql/sqlite/failure.ts';
import { openSqlite } from '../../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { createLargeWriter } from '../../../../../src/adapters/sql/sqlite/threads/large-write.ts';
import { createThreadTurns } from '../../../../../src/adapters/sql/sqlite/threads/thread-turns.ts';
import { createSemaphore } from '../../../../../src/adapters/threads/semaphore.ts';
import { startChild } from '../../../../support/child-program.ts';
import { steadyElapsedMs } from '../../../../support/steady-time.ts';
import { temporaryFile } from '../../temporary-file.ts';

/** In MiB. */
async function grownBy(context: TestContext, count: number, bytes: number): Promise<number> {
  const child = startChild(
    new URL('./write-large-files.ts', import.meta.url),
    temporaryFile(context),
    String(count),
    String(bytes),
  );
  await child.ended;
  assert.match(child.lines.join(), /^-?\d+$/u);
  return Number(child.lines[0]);
}

describe('files that were written leave nothing in memory', () => {
  test('many of less than a MiB', async (context) => {
    const grown = await grownBy(context, 120, 600_000);
    assert.ok(grown < 25, `${grown} of 69 MiB`);
  });

  test('a large one', async (context) => {
    const grown = await grownBy(context, 1, 80_000_000);
    assert.ok(grown < 40, `${grown} of 76 MiB`);
  });
});

test('a close waits for files that wait for their turn', async (context) => {
  const path = temporaryFile(context);
  const engine = openSqlite(path, systemTimers);
  await engine.transaction((sql) => sql.run('create table kept (id integer primary key, bytes blob)', []));
  const writes = [1, 2, 3].map((id) =>
    engine.runLargeWrite('insert into kept values ($1, $2)', [id, new Uint8Array(9)]),
  );
  await engine.close();
  await Promise.all(writes);
  const reopened = new DatabaseSync(path);
  context.after(() => reopened.close());
  assert.deepEqual({ ...reopened.prepare('select count(*) n from kept').get() }, { n: 3 });
});

test('behind a transaction of this process that does not end a file is refused, and written when it has ended', async (context) => {
  const afterAMinute = { ...systemTimers, after: (ms: number, run: () => void) => systemTimers.after(ms / 6_000, run) };
  const engine = openSqlite(temporaryFile(context), afterAMinute);
  context.after(() => engine.close());
  await engine.transaction((sql) => sql.run('create table kept (tenant text, bytes blob)', []));
  const [hanging, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction = engine.transaction(() => {
    begun.resolve();
    return hanging.promise;
  });
  await begun.promise;
  const write = () => engine.runLargeWrite('insert into kept values ($1, $2)', ['a', new Uint8Array(9)]);
  await assert.rejects(write(), { name: 'ServiceUnavailable', message: /does not come to an end/u });
  hanging.resolve();
  await transaction;
  await write();
  assert.equal(
    (await engine.all('select tenant from kept', [])).length,
    1,
    'what was refused is not carried out later',
  );
});

test('while another process holds the write lock, files that wait in our own line are refused with the first', async (context) => {
  const path = temporaryFile(context);
  const other = new DatabaseSync(path);
  context.after(() => other.close());
  other.exec('pragma journal_mode = wal; create table kept (tenant text, bytes blob); begin immediate');
  const writeLock = createSemaphore(1);
  const turns = createThreadTurns({
    writeLock,
    isInPlace: () => true,
    requireInPlace: () => undefined,
    timers: systemTimers,
  });
  const needs = { path, timers: systemTimers, turns };
  const writer = createLargeWriter({ ...needs, busyTimeoutMs: 1_000 });
  context.after(() => writer.close());
  const store = (tenant: string) => writer.run('insert into kept values ($1, $2)', [tenant, new Uint8Array(9)]);
  const startedMs = steadyElapsedMs();
  const results = await Promise.allSettled(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(store));
  const tookMs = steadyElapsedMs() - startedMs;
  assert.ok(results.every(({ status }) => status === 'rejected'));
  assert.ok(tookMs < 5_000, `all were refused after ${tookMs} ms, not one second each`);
  other.exec('rollback');
  await store('a');
});

test('an error on a thread reaches the caller as one of its own connection', () => {
  const sqlite = (errcode: number) => Object.assign(new Error('said by SQLite'), { errcode });
  const arrived = (error: unknown) => fromThreadFailure(toThreadFailure(error)) as Error;
  for (const [error, name] of [
    [sqlite(5), 'ServiceUnavailable'],
    [sqlite(8), 'ServiceUnavailable'],
    [sqlite(11), 'DatabaseDamaged'],
    [sqlite(13), 'ServiceUnavailable'],
    [sqlite(26), 'DatabaseDamaged'],
    [sqlite(19), 'Error'],
    [rolledBackByItself(), 'ServiceUnavailable'],
    [new TypeError('a mistake'), 'Error'],
  ] as const) {
    assert.equal(arrived(error).name, name, String(error));
  }
});
