import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AfterADeath, prepareForADeath, SUCCESSORS, TENANT } from './after-a-death.ts';
import { assertGapFree } from './gap-free.ts';
import { deliverWhatIsDue, isAnythingDue } from './worker-of-test.ts';

const DOCUMENTS = 6;
const EVER = Number.MAX_SAFE_INTEGER;

const STEPS = [
  'before-claim',
  'after-claim',
  'after-begin',
  'before-send',
  'after-send',
  'before-settle',
  'after-settle',
];

describe('a worker killed at any step of an attempt', () => {
  let afterwards: AfterADeath;
  before(async () => {
    afterwards = await prepareForADeath();
  });
  after(() => afterwards.close());

  for (const step of STEPS) {
    test(`${step}: every document is registered exactly once, none is lost, histories are gap-free`, async (t) => {
      const { foundation, connection, reader } = afterwards;
      const { storage } = foundation;
      const numbers = Array.from({ length: DOCUMENTS }, (_, index) => `${step}-${index}`);
      // The worker's clock is the machine's.
      for (const number of numbers) await afterwards.queue(number, Date.now());
      await afterwards.assertKilled(t, './killed-worker.ts', step, '2');
      assert.ok(await isAnythingDue(storage, EVER), 'something is left to do');
      for (let times = 1; times <= SUCCESSORS && (await isAnythingDue(storage, EVER)); times += 1) {
        afterwards.letPausesPass();
        await deliverWhatIsDue({ foundation, authority: connection.authority, reader });
      }
      await assertDelivered(numbers);
      const registered = await afterwards.registrations();
      for (const number of numbers) assert.equal(registered.get(number)?.length, 1, number);
    });
  }

  async function assertDelivered(numbers: readonly string[]): Promise<void> {
    const { outbound } = afterwards.foundation.storage;
    const all = { created: { from: null, to: null }, statuses: null, partnerEdb: null };
    const { items } = await outbound.list(TENANT, all, { page: 1, pageSize: 100 });
    const own = items.filter(({ documentNumber }) => numbers.includes(documentNumber ?? ''));
    assert.deepEqual(own.map(({ documentNumber }) => documentNumber).toSorted(), numbers.toSorted());
    for (const { docUid, documentNumber, status } of own) {
      assert.equal(status, 40, documentNumber ?? '');
      assertGapFree(await outbound.history(TENANT, docUid));
      const file = await outbound.file(TENANT, docUid, 'ujp');
      assert.equal(new TextDecoder().decode(file?.bytes.subarray(0, 2)), 'PK');
    }
  }
});
