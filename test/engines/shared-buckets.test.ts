import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedBuckets } from '../../src/adapters/sql/stores/shared-buckets.ts';
import { onEveryEngine } from '../support/engines.ts';
import { MORNING, newEdb } from './samples.ts';

const ONE = { wanted: 1, returned: 0 };

onEveryEngine('shared traffic limits', (database) => {
  test('draws of several processes at the same moment get the limit together, from the first call on', async () => {
    const engines = [database(), await database().openAgain(), await database().openAgain()].map(
      ({ engine }) => engine,
    );
    const key = { tenant: newEdb(), keyId: 'crowd', callsPerMinute: 40 };
    const draws = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const engine = engines[index % 3] ?? assert.fail();
        return sharedBuckets(engine).draw(key, MORNING, ONE);
      }),
    );
    assert.equal(draws.filter(({ drawn }) => drawn === 1).length, 40);
  });

  test('a draw takes what there is of what is wanted, what is returned counts, and time refills', async () => {
    const { draw } = sharedBuckets(database().engine);
    const key = { tenant: newEdb(), keyId: 'one', callsPerMinute: 600 };
    const drawn = async (now: number, wanted: number, returned = 0) =>
      (await draw(key, now, { wanted, returned })).drawn;
    assert.equal(await drawn(MORNING, 595), 595);
    assert.equal(await drawn(MORNING, 10), 5);
    assert.equal(await drawn(MORNING, 10, 3), 3);
    assert.equal(await drawn(MORNING + 1_000, 20), 10);
    assert.equal(await drawn(MORNING + 3_600_000, 10_000, 500), 600, 'never more than full');
  });

  test('clocks that differ fill no moment twice, and one that was far ahead does no lasting harm', async () => {
    const { draw } = sharedBuckets(database().engine);
    const key = { tenant: newEdb(), keyId: 'clocks', callsPerMinute: 60 };
    const drawn = async (now: number, wanted = 60) => (await draw(key, now, { wanted, returned: 0 })).drawn;
    assert.equal(await drawn(MORNING), 60);
    for (let turn = 0; turn < 5; turn += 1) {
      assert.equal(await drawn(MORNING + 2_000), turn === 0 ? 2 : 0);
      assert.equal(await drawn(MORNING), 0);
    }
    await drawn(MORNING + 86_400_000);
    assert.equal(await drawn(MORNING), 0);
    assert.equal(await drawn(MORNING + 1_000), 1);
  });

  test('keys of different tenants have nothing in common', async () => {
    const { draw } = sharedBuckets(database().engine);
    const [one, other] = [newEdb(), newEdb()];
    const key = { keyId: 'same', callsPerMinute: 1 };
    for (const tenant of [one, other]) assert.equal((await draw({ ...key, tenant }, MORNING, ONE)).drawn, 1);
    assert.equal((await draw({ ...key, tenant: one }, MORNING, ONE)).drawn, 0);
  });
});
