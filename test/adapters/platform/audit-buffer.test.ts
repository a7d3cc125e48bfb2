import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, mock, test } from 'node:test';
import { createAuditBuffer } from '../../../src/adapters/platform/audit-buffer.ts';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { ServiceUnavailable } from '../../../src/application/errors/service-unavailable.ts';
import type { AuditEntry } from '../../../src/application/ports/storage/audit-store.ts';
import type { Storage } from '../../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import { newAuditEntry, newEdb } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { until } from '../../support/process.ts';

const SECOND_MS = 1_000;

describe('the audit buffer', () => {
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
    const buffer = createAuditBuffer(database.storage, {
      timers: systemTimers,
      onFailure: unexpected,
      onUnwritten: unwritten,
    });
    for (const entry of entries(3)) buffer.record(entry);
    mock.timers.tick(SECOND_MS);
    await until('three entries', async () => (await written()).length === 3);
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
    const buffer = createAuditBuffer(counting, { timers: systemTimers, onFailure: unexpected, onUnwritten: unwritten });
    for (const entry of entries(500)) buffer.record(entry);
    mock.timers.tick(SECOND_MS);
    await buffer.close();
    assert.equal((await written()).length, 500);
    assert.equal(transactions, 1);
  });

  test('closing writes what is waiting', async () => {
    const buffer = createAuditBuffer(database.storage, {
      timers: systemTimers,
      onFailure: unexpected,
      onUnwritten: unwritten,
    });
    for (const entry of entries(3)) buffer.record(entry);
    await buffer.close();
    assert.deepEqual(await written(), ['0', '1', '2']);
  });

  test('what is recorded while others are being written is written too, nothing twice', async () => {
    const buffer = createAuditBuffer(database.storage, {
      timers: systemTimers,
      onFailure: unexpected,
      onUnwritten: unwritten,
    });
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
    const report = (error: unknown, waiting: number) => void failures.push(`${(error as Error).message} ${waiting}`);
    const buffer = createAuditBuffer(failing(5), { timers: systemTimers, onFailure: report, onUnwritten: unwritten });
    const [first, second, third] = entries(3);
    buffer.record(first ?? assert.fail());
    mock.timers.tick(250);
    await until('1 failures', () => failures.length === 1);
    buffer.record(second ?? assert.fail());
    mock.timers.tick(250);
    await until('2 failures', () => failures.length === 2);
    buffer.record(third ?? assert.fail());
    assert.deepEqual(await written(), []);
    mock.timers.tick(250);
    await until('three entries', async () => (await written()).length === 3);
    await buffer.close();
    assert.deepEqual(failures, ['disk full 1', 'disk full 2']);
    assert.deepEqual(await written(), ['0', '1', '2']);
  });

  test('a failure at the end is reported with the entries themselves, not thrown: the shutdown goes on', async () => {
    const failures: unknown[] = [];
    const lost: AuditEntry[] = [];
    const buffer = createAuditBuffer(failing(1_000), {
      timers: systemTimers,
      onFailure: (_, waiting) => failures.push(waiting),
      onUnwritten: (entry) => lost.push(entry),
    });
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
    const buffer = createAuditBuffer(database.storage, {
      timers: systemTimers,
      onFailure: (error) => failures.push(error),
      onUnwritten: ({ requestId }) => handedOver.push(requestId),
    });
    const unwritable = { ...newAuditEntry({ tenant, requestId: 'bad' }), address: null as unknown as string };
    for (const entry of [...entries(2), unwritable, newAuditEntry({ tenant, requestId: '2' })]) buffer.record(entry);
    mock.timers.tick(SECOND_MS);
    await until('three entries', async () => (await written()).length === 3);
    assert.deepEqual([await written(), handedOver], [['0', '1', '2'], ['bad']]);
    await buffer.close();
    assert.equal(buffer.waiting(), 0);
    assert.equal(failures.length, 1);
  });

  test('what waits is bounded by number; what is beyond it is handed over and counted', async () => {
    const handedOver: string[] = [];
    const buffer = createAuditBuffer(failing(Number.POSITIVE_INFINITY), {
      timers: systemTimers,
      onFailure: () => undefined,
      onUnwritten: ({ requestId }) => handedOver.push(requestId),
    });
    for (const entry of entries(20_003)) buffer.record(entry);
    assert.equal(buffer.waiting(), 20_000);
    assert.deepEqual([handedOver, buffer.unwritten()], [['20000', '20001', '20002'], 3]);
    await buffer.close();
    assert.equal(buffer.unwritten(), 20_003);
  });

  test('what waits is bounded by size', async () => {
    const buffer = createAuditBuffer(failing(Number.POSITIVE_INFINITY), {
      timers: systemTimers,
      onFailure: () => undefined,
      onUnwritten: () => undefined,
    });
    const path = 'x'.repeat(1_048_576);
    for (let index = 0; index < 10; index += 1) buffer.record(newAuditEntry({ tenant, path }));
    assert.equal(buffer.waiting(), 7);
    await buffer.close();
  });

  test('while the database cannot serve, entries are not tried one by one', async () => {
    let transactions = 0;
    const buffer = createAuditBuffer(
      {
        async transaction() {
          transactions += 1;
          throw new ServiceUnavailable('The database cannot serve at this moment.');
        },
      },
      { timers: systemTimers, onFailure: () => undefined, onUnwritten: () => undefined },
    );
    for (const entry of entries(50)) buffer.record(entry);
    await buffer.close();
    assert.equal(transactions, 1);
  });

  test('a batch whose commit was carried out, though its outcome was not known, is on record once', async () => {
    let isFirst = true;
    const cut: Pick<Storage, 'transaction'> = {
      async transaction(work) {
        const result = await database.storage.transaction(work);
        if (!isFirst) return result;
        isFirst = false;
        throw new Error('The connection broke during the commit: whether it was committed is not known.');
      },
    };
    const buffer = createAuditBuffer(cut, { timers: systemTimers, onFailure: () => undefined, onUnwritten: unwritten });
    for (const entry of entries(3)) buffer.record(entry);
    await buffer.close();
    assert.deepEqual(await written(), ['0', '1', '2']);
  });

  /** A storage whose transactions neither succeed nor fail until they are told to. */
  function hanging() {
    const begun: { readonly fail: () => void }[] = [];
    const storage: Pick<Storage, 'transaction'> = {
      transaction: () =>
        new Promise((_, reject) => {
          begun.push({ fail: () => reject(new ServiceUnavailable('The database cannot serve at this moment.')) });
        }),
    };
    return { storage, begun };
  }

  test('no write begins while another hangs; at the end one last write is tried', async () => {
    const { storage, begun } = hanging();
    const handedOver: string[] = [];
    const buffer = createAuditBuffer(storage, {
      timers: systemTimers,
      onFailure: () => undefined,
      onUnwritten: ({ requestId }) => handedOver.push(requestId),
      lastWriteMs: 60_000,
    });
    const [first, second] = entries(2);
    buffer.record(first ?? assert.fail());
    mock.timers.tick(250);
    buffer.record(second ?? assert.fail());
    for (let tick = 0; tick < 60; tick += 1) mock.timers.tick(250);
    assert.equal(begun.length, 1);
    const closed = buffer.close();
    begun[0]?.fail();
    await until('2 writes begun', () => begun.length === 2);
    begun[1]?.fail();
    await closed;
    assert.deepEqual([begun.length, handedOver], [2, ['0', '1']]);
  });

  test('closing waits for a hanging database only so long; then every entry is handed over, once', async () => {
    const { storage, begun } = hanging();
    const handedOver: string[] = [];
    const buffer = createAuditBuffer(storage, {
      timers: systemTimers,
      onFailure: () => undefined,
      onUnwritten: ({ requestId }) => handedOver.push(requestId),
      lastWriteMs: 20,
    });
    const [first, second] = entries(2);
    buffer.record(first ?? assert.fail());
    mock.timers.tick(250);
    await until('1 writes begun', () => begun.length === 1);
    buffer.record(second ?? assert.fail());
    await buffer.close();
    assert.deepEqual(handedOver.toSorted(), ['0', '1']);
    assert.equal(buffer.unwritten(), 2);
    begun[0]?.fail();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(handedOver.toSorted(), ['0', '1'], 'the write that fails later hands over nothing more');
    buffer.record(newAuditEntry({ requestId: 'late' }));
    assert.equal(handedOver.at(-1), 'late', 'a call that ends after that');
  });

  test('counted calls of the last minute are handed over too when the database hangs at the end', async () => {
    const { storage, begun } = hanging();
    const handedOver: string[] = [];
    const counted: AuditEntry[] = [];
    const buffer = createAuditBuffer(storage, {
      timers: systemTimers,
      onFailure: () => undefined,
      onUnwritten: ({ requestId }) => handedOver.push(requestId),
      moreEntries: () => counted.splice(0),
      lastWriteMs: 20,
    });
    buffer.record(entries(1)[0] ?? assert.fail());
    mock.timers.tick(250);
    await until('1 writes begun', () => begun.length === 1);
    counted.push(newAuditEntry({ requestId: 'count', calls: 9 }));
    await buffer.close();
    assert.deepEqual(handedOver.toSorted(), ['0', 'count']);
  });
});
