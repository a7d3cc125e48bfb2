import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { openSqlite } from '../../../../src/adapters/sql/sqlite/open-sqlite.ts';
import { ServiceUnavailable } from '../../../../src/application/errors/service-unavailable.ts';
import { OUTBOUND_STATUS } from '../../../../src/domain/documents/outbound-status.ts';
import { freshInvoice } from '../../../contract/support/documents.ts';
import { newTenant } from '../../../contract/support/tenant.ts';
import { docUidOf } from '../../../support/doc-uid.ts';
import { placeMigratedSqlite } from '../../../support/migrated-sqlite.ts';
import { temporaryFolder, until } from '../../../support/process.ts';
import { startTestService, type TestService, WITH_BACKGROUND } from '../../../support/service.ts';

const PLENTY = 4_294_967_294;

type Engine = TestService['foundation']['engine'];

/** A limit of the connection that writes, which SQLite keeps as it keeps that of a disk. */
async function limitPages(engine: Engine, pages: number): Promise<void> {
  const limit = () => engine.transaction((sql) => sql.all(`pragma max_page_count = ${pages}`, []));
  // A write of a background task that finds the disk full takes the whole group with it.
  while (await limit().then(() => false, isUnavailable));
}

function isUnavailable(error: unknown): true {
  assert.ok(error instanceof ServiceUnavailable);
  return true;
}

async function usedPages(engine: Engine): Promise<number> {
  const row = await engine.transaction((sql) => sql.get<{ page_count: number }>('pragma page_count', []));
  return row?.page_count ?? assert.fail('no page count');
}

test('on a full disk calls that change something get 503, others are served, and all goes on when there is room', async (t) => {
  const variables = { ...WITH_BACKGROUND, DELIVERY_HOLD_SECONDS: '0' };
  const service = await startTestService({ variables, database: { DATA_DIR: temporaryFolder() } });
  t.after(() => service.stop());
  const { engine, storage } = service.foundation;
  const { edb, get, submit, submitted } = await newTenant(service);
  const docUid = await submitted();
  await limitPages(engine, await usedPages(engine));

  const answered: string[] = [];
  const refused: string[] = [];
  for (let count = 0; refused.length < 5; count += 1) {
    // One by one: those who come together are stored on a thread whose connection does not have that limit.
    const { status, headers, text } = await submit(freshInvoice(), `${count}`);
    if (status === 201) answered.push((JSON.parse(text) as { readonly docUid: string }).docUid);
    else {
      assert.equal(status, 503, text);
      assert.ok(Number(headers.get('retry-after')) > 0);
      assert.equal((JSON.parse(text) as { readonly code: unknown }).code, null);
      refused.push(`${count}`);
    }
    assert.ok(count < 800, 'the disk never fills');
  }
  assert.equal((await get(`/outbound/${docUid}`)).status, 200);
  assert.equal((await get('/outbound')).status, 200);

  await limitPages(engine, PLENTY);
  for (const key of refused) assert.equal((await submit(freshInvoice(), key)).status, 201, 'the key is still free');
  for (const one of answered) assert.equal((await get(`/outbound/${one}`)).status, 200);
  const filter = { created: { from: null, to: null }, statuses: null, partnerEdb: null };
  const { totalCount } = await storage.outbound.list(edb, filter, { page: 1, pageSize: 1 });
  assert.equal(totalCount, 1 + answered.length + refused.length);
  const statusOf = async (one: string) => (await storage.outbound.find(edb, docUidOf(one)))?.status;
  for (const one of [docUid, ...answered]) {
    await until('the worker goes on', async () => (await statusOf(one)) !== OUTBOUND_STATUS.received);
  }
});

test('where the database cannot be written, whoever writes hears that it cannot serve at this moment', async (t) => {
  const engine = openSqlite(join(temporaryFolder(), 'test.sqlite'), systemTimers);
  t.after(() => engine.close());
  await engine.transaction((sql) => sql.run('create table t (a integer primary key, b blob)', []));
  const insert = () => engine.transaction((sql) => sql.run('insert into t (b) values (randomblob(100000))', []));
  const rows = async () => (await engine.get<{ rows: number }>('select count(*) as rows from t', []))?.rows;
  await insert();

  await limitPages(engine, 1);
  const [alone] = await Promise.allSettled([insert()]);
  assert.ok(alone?.status === 'rejected' && alone.reason instanceof ServiceUnavailable);
  for (const one of await Promise.allSettled([insert(), insert(), insert()])) {
    assert.ok(one.status === 'rejected' && one.reason instanceof ServiceUnavailable, JSON.stringify(one));
  }
  await limitPages(engine, PLENTY);
  await insert();

  await engine.transaction((sql) => sql.all('pragma query_only = on', []));
  await assert.rejects(insert(), ServiceUnavailable);
  assert.equal(await rows(), 2);
});

test('a mistake in the program is not taken for a full disk', async (t) => {
  const engine = openSqlite(join(temporaryFolder(), 'test.sqlite'), systemTimers);
  t.after(() => engine.close());
  await engine.transaction((sql) => sql.run('create table t (a integer primary key)', []));
  const mistakes = [
    () => engine.run('insert into t values (1)', []),
    () => engine.transaction((sql) => sql.run('insert into nowhere values (1)', [])),
  ];
  for (const mistake of mistakes) {
    await assert.rejects(mistake(), (error) => !(error instanceof ServiceUnavailable));
  }
});

const BLOCKS = 8_192;

type Filled = { readonly outcomes: readonly string[]; readonly committed: number };

/** In a process whose files may not grow beyond a few megabytes. */
async function fillUntilRefused(path: string): Promise<Filled> {
  const program = new URL('./fill-until-refused.ts', import.meta.url).pathname;
  const limited = `ulimit -f ${BLOCKS} && exec "$0" "$@"`;
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', program, path];
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', limited, ...node]);
  return JSON.parse(stdout) as Filled;
}

test('a file that may not grow is a full disk, for small and large values and for groups of submissions, and keeps what was committed', async () => {
  const path = join(temporaryFolder(), 'limited.sqlite');
  await placeMigratedSqlite(path);
  const { outcomes, committed } = await fillUntilRefused(path);
  assert.deepEqual(outcomes, ['ServiceUnavailable', 'ServiceUnavailable', 'ServiceUnavailable']);
  const engine = openSqlite(path, systemTimers);
  const found = await engine.get<{ rows: number }>('select count(*) as rows from t', []);
  await engine.close();
  assert.ok(committed > 0);
  assert.equal(found?.rows, committed);
});
