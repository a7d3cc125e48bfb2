import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import { docUidTime, parseDocUid } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { ANY_INBOUND, ANY_OUTBOUND, MORNING, newEdb, newInbound, newOutbound } from './samples.ts';

/** A clock that runs, stands still, steps back by a second and by a day, and runs again. */
const CLOCK_READINGS = [0, 1, 1, 1, 7, 6, -1_000, -86_400_000, 7, 8, 8, 9_000].map((ms) => MORNING + ms);

onEveryEngine('the order of documents', (database) => {
  const addOutbound = (tenant: Edb, now: number) =>
    database().storage.transaction((tx) => tx.outbound.add(tenant, newOutbound(), now));
  const addInbound = async (tenant: Edb, now: number) =>
    (await database().storage.transaction((tx) => tx.inbound.add(tenant, newInbound(), now))).stored;

  for (const [name, add] of [['outbound', addOutbound] as const, ['inbound', addInbound] as const]) {
    test(`${name}: every docUid is greater than the one before, however the clock runs`, async () => {
      const tenant = newEdb();
      const docUids: string[] = [];
      for (const now of CLOCK_READINGS) docUids.push((await add(tenant, now)).docUid);
      assert.ok(docUids.every((docUid) => parseDocUid(docUid) === docUid));
      assert.equal(new Set(docUids).size, docUids.length);
      assert.deepEqual(docUids, docUids.toSorted());
    });

    test(`${name}: the time of a document is the time its docUid carries, and never runs backwards`, async () => {
      const tenant = newEdb();
      let newest = 0;
      for (const now of CLOCK_READINGS) {
        const { docUid, at } = await add(tenant, now);
        newest = Math.max(newest, now);
        assert.equal(at, newest);
        assert.equal(docUidTime(docUid), at);
      }
    });
  }

  test('a document found or listed has the time that its docUid carries', async () => {
    const tenant = newEdb();
    const { storage } = database();
    await addOutbound(tenant, MORNING + 50);
    const { docUid } = await addOutbound(tenant, MORNING);
    await addInbound(tenant, MORNING + 50);
    const arrived = await addInbound(tenant, MORNING);
    assert.equal((await storage.outbound.find(tenant, docUid))?.createdAt, docUidTime(docUid));
    assert.equal((await storage.outbound.history(tenant, docUid))[0]?.at, docUidTime(docUid));
    assert.equal((await storage.inbound.find(tenant, arrived.docUid))?.receivedAt, docUidTime(arrived.docUid));
    const page = { page: 1, pageSize: 10 };
    for (const item of (await storage.outbound.list(tenant, ANY_OUTBOUND, page)).items) {
      assert.equal(item.createdAt, docUidTime(item.docUid));
    }
    for (const item of (await storage.inbound.list(tenant, ANY_INBOUND, page)).items) {
      assert.equal(item.receivedAt, docUidTime(item.docUid));
    }
  });

  test('the order of one tenant does not depend on the clock another tenant saw', async () => {
    const [fast, slow] = [newEdb(), newEdb()];
    await addOutbound(fast, MORNING + 3_600_000);
    assert.equal((await addOutbound(slow, MORNING)).at, MORNING);
  });

  test('documents that two programs add in the same millisecond are in one order, without gap or repetition', async () => {
    const tenant = newEdb();
    const { storage, openAgain } = database();
    const other = (await openAgain()).storage;
    const stored = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        (index % 3 === 0 ? other : storage).transaction((tx) => tx.outbound.add(tenant, newOutbound(), MORNING)),
      ),
    );
    const newestFirst = stored
      .map(({ docUid }) => docUid)
      .toSorted()
      .reverse();
    assert.equal(new Set(newestFirst).size, 200);
    const { items, totalCount } = await storage.outbound.list(tenant, ANY_OUTBOUND, { page: 1, pageSize: 500 });
    assert.equal(totalCount, 200);
    assert.deepEqual(
      items.map(({ docUid }) => docUid),
      newestFirst,
    );
  });
});
