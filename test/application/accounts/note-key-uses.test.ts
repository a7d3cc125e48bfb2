import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { noteKeyUses } from '../../../src/application/accounts/note-key-uses.ts';
import type { Storage } from '../../../src/application/ports/storage/storage.ts';
import type { ApiKey } from '../../../src/domain/accounts/api-key.ts';
import { MORNING, newKey, newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const MINUTE_MS = 60_000;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

async function addKey(): Promise<ApiKey> {
  const tenant = newTenant();
  const key = newKey(tenant.edb);
  await database.storage.transaction(async (tx) => {
    await tx.tenants.add(tenant, MORNING);
    await tx.keys.add(key, new TextEncoder().encode(key.keyId));
  });
  return key;
}

async function find({ keyId }: ApiKey): Promise<ApiKey> {
  const found = await database.storage.keys.find(keyId);
  assert.ok(found !== null);
  return found;
}

/** Counts transactions; pauses end when the test says so. */
function notes() {
  const clock = clockAt();
  let transactions = 0;
  let isDown = false;
  const waiting: (() => void)[] = [];
  const transaction: Storage['transaction'] = (work) => {
    transactions += 1;
    return isDown ? Promise.reject(new Error('the database is down')) : database.storage.transaction(work);
  };
  const timers = {
    ...systemTimers,
    after(_ms: number, run: () => void) {
      waiting.push(run);
      return { cancel: () => undefined };
    },
  };
  const uses = noteKeyUses({ storage: { ...database.storage, transaction }, clock, timers });
  return {
    uses,
    clock,
    transactions: () => transactions,
    setDown(value: boolean) {
      isDown = value;
    },
    /** The pauses that are over now; a stop waits for what they write. */
    async pass() {
      for (const run of waiting.splice(0)) run();
      await uses.stop();
    },
  };
}

test('a thousand calls with two keys are one write after a while, and none for the rest of the hour', async () => {
  const [one, other] = [await addKey(), await addKey()];
  const { uses, clock, transactions, pass } = notes();
  for (let call = 0; call < 500; call += 1) {
    uses.note(one);
    uses.note(other);
  }
  assert.equal(transactions(), 0, 'no call waits for it');
  await pass();
  assert.equal(transactions(), 1);
  assert.deepEqual([(await find(one)).lastUsedAt, (await find(other)).lastUsedAt], [MORNING, MORNING]);
  clock.advance(59 * MINUTE_MS);
  uses.note(await find(one));
  await pass();
  assert.equal(transactions(), 1);
  clock.advance(MINUTE_MS);
  uses.note(await find(one));
  await pass();
  assert.equal((await find(one)).lastUsedAt, MORNING + 60 * MINUTE_MS);
});

test('a database that does not answer harms nobody, and the next call is on record', async () => {
  const key = await addKey();
  const { uses, setDown, pass } = notes();
  setDown(true);
  uses.note(key);
  await pass();
  assert.equal((await find(key)).lastUsedAt, null);
  setDown(false);
  uses.note(key);
  await uses.stop();
  assert.equal((await find(key)).lastUsedAt, MORNING);
});
