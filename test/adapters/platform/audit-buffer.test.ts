import assert from 'node:assert/strict';
import { after, before, beforeEach, mock, test } from 'node:test';
import { createAuditBuffer } from '../../../src/adapters/platform/audit-buffer.ts';
import type { AuditEntry } from '../../../src/application/ports/storage/audit-store.ts';
import type { Storage } from '../../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import { newAuditEntry, newEdb } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';

const SECOND_MS = 1_000;

let database: TestDatabase;
let tenant: Edb;
before(async () => {
  database = await createTestDatabase();
  mock.timers.enable({ apis: ['setInterval'] });
});
beforeEach(() => {
  tenant = newEdb();
});
after(async () => {
  mock.timers.reset();
  await database.close();
});

function unexpected(error: unknown): never {
  throw error;
}

function unwritten(entry: AuditEntry): never {
  assert.fail(`not written: ${entry.requestId}`);
}

function entries(count: number): readonly AuditEntry[] {
  return Array.from({ length: count }, (_, index) => newAuditEntry({ tenant, requestId: `${index}` }));
}

async function written(): Promise<readonly string[]> {
  const filter = { tenant, keyId: null, docUid: null, since: null, until: null, limit: 10_000 };
  return (await database.storage.audit.read(filter)).map(({ requestId }) => requestId).toSorted();
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const patience = AbortSignal.timeout(5_000);
  while (!(await isTrue())) {
    patience.throwIfAborted();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The real storage, of which the first transactions fail. */
function failing(times: number): Pick<Storage, 'transaction'> {
  let left = times;
  return {
    transaction(work) {
      left -= 1;
      return left >= 0 ? Promise.reject(new Error('disk full')) : database.storage.transaction(work);
    },
  };
}

test('an entry is on record within a second', async () => {
  const buffer = createAuditBuffer(database.storage, unexpected, unwritten);
  for (const entry of entries(3)) buffer.record(entry);
  mock.timers.tick(SECOND_MS);
  await until(async () => (await written()).length === 3);
  await buffer.close();
});

test('entries that come together are written together', async () => {
  let transactions = 0;
  const counting: Pick<Storage, 'transaction'> = {
    transaction(work) {
      transactions += 1;
      return database.storage.transaction(work);
    },
  };
  const buffer = createAuditBuffer(counting, unexpected, unwritten);
  for (const entry of entries(500)) buffer.record(entry);
  mock.timers.tick(SECOND_MS);
  await buffer.close();
  assert.equal((await written()).length, 500);
  assert.equal(transactions, 1);
});

test('closing writes what is waiting', async () => {
  const buffer = createAuditBuffer(database.storage, unexpected, unwritten);
  for (const entry of entries(3)) buffer.record(entry);
  await buffer.close();
  assert.deepEqual(await written(), ['0', '1', '2']);
});

test('what is recorded while others are being written is written too, nothing twice', async () => {
  const buffer = createAuditBuffer(database.storage, unexpected, unwritten);
  const all = entries(40);
  for (const [index, entry] of all.entries()) {
    buffer.record(entry);
    if (index % 7 === 0) mock.timers.tick(SECOND_MS);
    if (index % 11 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await buffer.close();
  assert.deepEqual(await written(), all.map(({ requestId }) => requestId).toSorted());
});

test('what could not be written is reported with how much is waiting, and written later, once', async () => {
  const failures: string[] = [];
  const report = (error: unknown, waiting: number) => failures.push(`${(error as Error).message} ${waiting}`);
  const buffer = createAuditBuffer(failing(5), report, unwritten);
  const [first, second, third] = entries(3);
  buffer.record(first ?? assert.fail());
  mock.timers.tick(250);
  await until(async () => failures.length === 1);
  buffer.record(second ?? assert.fail());
  mock.timers.tick(250);
  await until(async () => failures.length === 2);
  buffer.record(third ?? assert.fail());
  assert.deepEqual(await written(), []);
  mock.timers.tick(250);
  await until(async () => (await written()).length === 3);
  await buffer.close();
  assert.deepEqual(failures, ['disk full 1', 'disk full 2']);
  assert.deepEqual(await written(), ['0', '1', '2']);
});

test('a failure at the end is reported with the entries themselves, not thrown: the shutdown goes on', async () => {
  const failures: unknown[] = [];
  const lost: AuditEntry[] = [];
  const buffer = createAuditBuffer(
    failing(1_000),
    (_, waiting) => failures.push(waiting),
    (entry) => lost.push(entry),
  );
  buffer.record(newAuditEntry({ tenant }));
  await buffer.close();
  assert.ok(failures.length > 0 && failures.every((waiting) => waiting === 1));
  assert.deepEqual(
    lost.map(({ tenant: owner }) => owner),
    [tenant],
  );
});

test('an entry that cannot be written does not keep the others out: it is handed over, they are written', async () => {
  const handedOver: string[] = [];
  const failures: unknown[] = [];
  const buffer = createAuditBuffer(
    database.storage,
    (error) => failures.push(error),
    ({ requestId }) => handedOver.push(requestId),
  );
  const unwritable = { ...newAuditEntry({ tenant, requestId: 'bad' }), address: null as unknown as string };
  for (const entry of [...entries(2), unwritable, newAuditEntry({ tenant, requestId: '2' })]) buffer.record(entry);
  mock.timers.tick(SECOND_MS);
  await until(async () => (await written()).length === 3);
  assert.deepEqual([await written(), handedOver], [['0', '1', '2'], ['bad']]);
  await buffer.close();
  assert.equal(buffer.waiting(), 0);
  assert.equal(failures.length, 1);
});
