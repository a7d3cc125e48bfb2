import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { systemRandom } from '../../../../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../../../../src/adapters/platform/timers.ts';
import type { Engine, GroupOutcome, StoreGroup } from '../../../../../src/adapters/sql/engine.ts';
import { openSqlite } from '../../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import {
  createSubmissionWriter,
  SUBMISSION_THREAD,
  type SubmissionWriter,
} from '../../../../../src/adapters/sql/sqlite/threads/submission-writer.ts';
import { createThreadTurns } from '../../../../../src/adapters/sql/sqlite/threads/thread-turns.ts';
import { createStorage } from '../../../../../src/adapters/sql/storage.ts';
import { createSemaphore, type Semaphore } from '../../../../../src/adapters/threads/semaphore.ts';
import { CommitUnknown } from '../../../../../src/application/errors/commit-unknown.ts';
import { ServiceUnavailable } from '../../../../../src/application/errors/service-unavailable.ts';
import type { Timers } from '../../../../../src/application/ports/platform.ts';
import type { NewSubmission } from '../../../../../src/application/ports/storage/outbound/store-submission.ts';
import type { Edb } from '../../../../../src/domain/accounts/edb.ts';
import { assertListIsTrue } from '../../../../engines/recount.ts';
import { newEdb, newSubmission } from '../../../../engines/samples.ts';
import { placeMigratedSqlite } from '../../../../support/migrated-sqlite.ts';
import { until } from '../../../../support/process.ts';
import { steadyElapsedMs } from '../../../../support/steady-time.ts';
import { temporaryFile } from '../../temporary-file.ts';

async function placed(context: TestContext): Promise<string> {
  const path = temporaryFile(context);
  await placeMigratedSqlite(path);
  return path;
}

/** Of a group that the thread stores: those that come before it is ready are for the calling thread. */
function onThread(store: StoreGroup, group: readonly NewSubmission[]): Promise<GroupOutcome> {
  return until('the thread is ready', () => store(group, systemRandom));
}

function two(tenant: Edb): readonly NewSubmission[] {
  return [newSubmission(tenant), newSubmission(tenant)];
}

type Given = {
  readonly module: URL;
  readonly path: string;
  readonly timers?: Timers;
  readonly writeLock?: Semaphore;
  readonly busyTimeoutMs?: number;
};

/** That waits for no other process, unless it is to. */
function writerOf({
  module,
  path,
  timers = systemTimers,
  writeLock = createSemaphore(1),
  busyTimeoutMs = 1,
}: Given): SubmissionWriter {
  const turns = createThreadTurns({ writeLock, isInPlace: () => true, requireInPlace: () => undefined, timers });
  return createSubmissionWriter({ module, path, timers, turns, busyTimeoutMs, committed: () => undefined });
}

async function documentsOf(engine: Engine, tenant: Edb): Promise<readonly string[]> {
  const rows = await engine.all<{ id: string }>('select id from outbound where tenant = $1 order by id', [tenant]);
  return rows.map(({ id }) => id);
}

test('submissions that come together are stored on a thread, others and those before it is ready on the calling one', async (context) => {
  const engine = openSqlite(await placed(context), systemTimers);
  const tenant = newEdb();
  assert.equal(await engine.storeGroup([newSubmission(tenant)], systemRandom), null);
  assert.equal(await engine.storeGroup(two(tenant), systemRandom), null);
  const outcome = await onThread(engine.storeGroup, two(tenant));
  const single = await engine.storeGroup([newSubmission(tenant)], systemRandom);
  assert.ok('stored' in outcome && single !== null && 'stored' in single);
  const stored = [...outcome.stored, ...single.stored].map((one) => (typeof one === 'string' ? one : one?.docUid));
  assert.deepEqual(await documentsOf(engine, tenant), stored);
  await assertListIsTrue(engine, tenant, 'outbound');

  let ended = 0;
  const underWay = [1, 2].map(() => engine.storeGroup(two(tenant), systemRandom).finally(() => (ended += 1)));
  await engine.close();
  assert.equal(ended, 2, 'closing waits for groups that are under way, and for those that wait');
  for (const outcome of await Promise.all(underWay)) assert.ok('stored' in (outcome ?? {}));
});

test('a key that is taken is told, and nothing of its group is stored', async (context) => {
  const engine = openSqlite(await placed(context), systemTimers);
  context.after(() => engine.close());
  const tenant = newEdb();
  const first = newSubmission(tenant);
  await onThread(engine.storeGroup, [first, newSubmission(tenant)]);
  const again = { ...newSubmission(tenant), key: first.key };
  const outcome = await engine.storeGroup([newSubmission(tenant), again], systemRandom);
  assert.deepEqual(outcome, { taken: [false, true] });
  assert.equal((await documentsOf(engine, tenant)).length, 2);
});

test('transactions and groups wait for each other in the process and all come through', async (context) => {
  const engine = openSqlite(await placed(context), systemTimers);
  context.after(() => engine.close());
  const tenant = newEdb();
  await onThread(engine.storeGroup, two(tenant));
  const insert = (name: string) =>
    engine.transaction((sql) =>
      sql.run('insert into code_list (environment, type, entries, read_at) values ($1, $2, $3, 0)', ['test', name, '']),
    );
  const groups = Array.from({ length: 10 }, () => engine.storeGroup(two(tenant), systemRandom));
  const inserts = Array.from({ length: 10 }, (_, index) => insert(`list ${index}`));
  const outcomes = await Promise.all(groups);
  await Promise.all(inserts);
  assert.ok(outcomes.every((outcome) => outcome !== null && 'stored' in outcome));
  assert.equal((await documentsOf(engine, tenant)).length, 22);
});

test('while another process holds the write lock for too long a group is refused, and the next one is stored', async (context) => {
  const path = await placed(context);
  const writer = writerOf({ module: SUBMISSION_THREAD, path });
  context.after(() => writer.close());
  const tenant = newEdb();
  await onThread(writer.store, two(tenant));
  const other = new DatabaseSync(path);
  context.after(() => other.close());
  other.exec('begin immediate');
  await assert.rejects(writer.store(two(tenant), systemRandom), ServiceUnavailable);
  other.exec('rollback');
  assert.ok('stored' in ((await writer.store(two(tenant), systemRandom)) ?? {}));
});

test('while another process holds the write lock, groups that are with the thread already are refused with the first', async (context) => {
  const path = await placed(context);
  const writer = writerOf({ module: SUBMISSION_THREAD, path, busyTimeoutMs: 1_000 });
  context.after(() => writer.close());
  const tenant = newEdb();
  await onThread(writer.store, two(tenant));
  using other = new DatabaseSync(path);
  other.exec('begin immediate');
  const startedMs = steadyElapsedMs();
  const groups = Array.from({ length: 8 }, () => writer.store(two(tenant), systemRandom));
  const results = await Promise.allSettled(groups);
  const tookMs = steadyElapsedMs() - startedMs;
  assert.ok(results.every(({ status }) => status === 'rejected'));
  assert.ok(tookMs < 5_000, `all were refused after ${tookMs} ms, not one second each`);
  other.exec('rollback');
  assert.ok('stored' in ((await writer.store(two(tenant), systemRandom)) ?? {}));
});

test('when the thread dies of a group it is not known whether that is stored, and the next one has another thread', async (context) => {
  const path = temporaryFile(context);
  const module = new URL('./dying-thread.ts', import.meta.url);
  const writer = writerOf({ module, path });
  context.after(() => writer.close());
  const tenant = newEdb();
  await assert.rejects(onThread(writer.store, two(tenant)), CommitUnknown);
  writeFileSync(path, '');
  assert.deepEqual(await writer.store(two(tenant), systemRandom), { stored: [] });
});

test('a thread that cannot be started is not missed: groups are for the calling thread, which finds the lock free, and another start is tried later', async (context) => {
  const path = temporaryFile(context);
  const module = pathToFileURL(`${path}.thread.js`);
  const writeLock = createSemaphore(1);
  let nowMs = 0;
  const timers = { ...systemTimers, elapsedMs: () => nowMs };
  const writer = writerOf({ module, path, timers, writeLock });
  const tenant = newEdb();
  const store = () => writer.store(two(tenant), systemRandom);
  assert.equal(await store(), null);

  writeFileSync(module, DYING_THREAD);
  assert.equal(await store(), null, 'it could not be started a moment ago');
  nowMs += 60_000;
  await assert.rejects(onThread(writer.store, two(tenant)), CommitUnknown);
  rmSync(module);
  assert.equal(await store(), null, 'no other thread can take the place of the one that died');
  assert.ok(writeLock.isIdle());
  await writer.close();
});

test('a group that waits for its turn while another finds no thread is for the calling thread too', async (context) => {
  const path = temporaryFile(context);
  const module = pathToFileURL(`${path}.thread.js`);
  writeFileSync(module, DYING_THREAD);
  const writeLock = createSemaphore(1);
  const writer = writerOf({ module, path, writeLock });
  const group = two(newEdb());
  await assert.rejects(onThread(writer.store, group), CommitUnknown);
  rmSync(module);
  const behind = writer.store(group, systemRandom);
  const other = writeLock.run('transactions', async () => undefined);
  const waiting = writer.store(group, systemRandom);
  assert.deepEqual(await Promise.all([behind, other, waiting]), [null, undefined, null]);
  await writer.close();
});

/** Ends with its first group. */
const DYING_THREAD = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ submissions }) => {
  if (submissions.length > 0) process.exit(1);
  parentPort.postMessage({ stored: [] });
});
parentPort.postMessage('ready');
`;

test('what groups have come to is forgotten', async (context) => {
  const engine = openSqlite(await placed(context), systemTimers);
  context.after(() => engine.close());
  const tenant = newEdb();
  const outcome = new WeakRef(await onThread(engine.storeGroup, two(tenant)));
  await engine.storeGroup(two(tenant), systemRandom);
  await engine.storeGroup(two(tenant), systemRandom);
  await until('it is collected', () => {
    gc?.();
    return outcome.deref() === undefined;
  });
});

/** Whose first commit fails, and the rollback after it too, as where there is no memory left. */
const FAILING_THREAD = `import { DatabaseSync } from 'node:sqlite';
const { exec } = DatabaseSync.prototype;
let failures = 0;
DatabaseSync.prototype.exec = function (text) {
  if (/^(commit|rollback)$/u.test(text) && failures < 2) {
    failures += 1;
    throw Object.assign(new Error('out of memory'), { errcode: 7 });
  }
  return exec.call(this, text);
};
await import(${JSON.stringify(SUBMISSION_THREAD.href)});
`;

test('a group that could not even be undone keeps the write lock from nobody, and leaves nothing', async (context) => {
  const path = await placed(context);
  const module = pathToFileURL(`${path}.failing.mjs`);
  writeFileSync(module, FAILING_THREAD);
  const writer = writerOf({ module, path });
  context.after(() => writer.close());
  const tenant = newEdb();
  await assert.rejects(
    onThread(writer.store, two(tenant)),
    (error) => error instanceof CommitUnknown && /out of memory/u.test(String(error.cause)),
  );
  using other = new DatabaseSync(path);
  other.exec('begin immediate; rollback');
  assert.ok('stored' in ((await writer.store(two(tenant), systemRandom)) ?? {}));
  assert.deepEqual({ ...other.prepare('select count(*) as n from outbound').get() }, { n: 2 });
});

test('while a group is stored the next one is sent ahead, and every key has one document', async (context) => {
  const engine = openSqlite(await placed(context), systemTimers);
  context.after(() => engine.close());
  const storage = createStorage(engine, systemRandom);
  const tenants = [newEdb(), newEdb()];
  await onThread(engine.storeGroup, two(tenants[0] ?? assert.fail()));
  const submissions = Array.from({ length: 300 }, (_, index) => newSubmission(tenants[index % 2] ?? assert.fail()));
  // Each third comes twice, in the same group or in another one.
  const again = submissions
    .filter((_, index) => index % 3 === 0)
    .map((one) => ({ ...newSubmission(one.key.tenant), key: one.key }));
  const all = [...submissions, ...again];
  const stored = await Promise.all(
    all.map(async (submission, index) => {
      for (let turns = index % 7; turns > 0; turns -= 1) await nextTurn();
      return { key: submission.key, document: await storage.storeSubmission(submission) };
    }),
  );
  const keys = Map.groupBy(stored, ({ key }) => key);
  assert.equal(keys.size, submissions.length);
  for (const each of keys.values()) assert.equal(each.filter(({ document }) => document !== null).length, 1);
  for (const tenant of tenants) await assertListIsTrue(engine, tenant, 'outbound');
  const [first = assert.fail(), second = assert.fail()] = tenants;
  assert.equal((await documentsOf(engine, first)).length, 152);
  assert.equal((await documentsOf(engine, second)).length, 150);
});
