import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import { deliverVoids } from '../../src/application/voiding/deliver-voids.ts';
import type { VoidNeeds } from '../../src/application/voiding/void-delivery.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { DocUid } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { addOutboundIn, MORNING, newEdb, newOutbound, newTenant } from './samples.ts';

const MINUTE = 60_000;
const REASON = { code: 'S-1', name: 'Погрешен купувач', comment: 'по договор' };
const PREPARED = { docTypeCode: '100', docNumber: '7-ST', docDate: '2026-11-16', docId: 'V', text: '{"document":{}}' };
const SENT = { ...PREPARED, requestTimestamp: '2026-11-16T09:00:00' };
const ENDED = { dueAt: null, failures: 1, failureCode: 'UJP-E1016', failureMessage: 'No.', endedAt: MORNING };

onEveryEngine('the store of voids', (database) => {
  async function registered(): Promise<{ readonly tenant: Edb; readonly docUid: DocUid }> {
    const tenant = newEdb();
    const { docUid } = await database().storage.transaction((tx) =>
      addOutboundIn(tx, tenant, 40, newOutbound(), MORNING),
    );
    return { tenant, docUid };
  }

  const request = (tenant: Edb, docUid: DocUid, now = MORNING) =>
    database().storage.transaction((tx) => tx.voids.request(tenant, docUid, REASON, now));
  const claim = (token: string, now: number) =>
    database().storage.transaction((tx) => tx.voids.claim({ token, until: now + MINUTE }, now, 100));

  test('keeps one void of a document, which can be requested again once it was refused', async () => {
    const { tenant, docUid } = await registered();
    const requests = await Promise.all([1, 2, 3].map(() => request(tenant, docUid)));
    assert.deepEqual(requests.toSorted(), [false, false, true]);
    const found = (await database().storage.voids.find(tenant, docUid)) ?? assert.fail('no void');
    assert.deepEqual([found.state, found.reason, found.sent, found.dueAt], ['requested', REASON, null, MORNING]);
    assert.equal(await database().storage.voids.find(newEdb(), docUid), null);
    const open = () => Promise.all([tenant, newEdb()].map((one) => database().storage.voids.countOpen(one)));
    assert.deepEqual(await open(), [1, 0]);
    await claim('one', MORNING);
    const settle = (state: 'refused' | 'registered') =>
      database().storage.transaction((tx) => tx.voids.settle(tenant, docUid, 'one', { ...ENDED, state }));
    assert.equal(await settle('refused'), true);
    assert.deepEqual(await open(), [0, 0]);
    assert.equal(await settle('registered'), false, 'the lease has ended');
    assert.equal(await request(tenant, docUid, MORNING + 1), true);
    const again = await database().storage.voids.find(tenant, docUid);
    assert.deepEqual([again?.state, again?.failureCode, again?.failures, again?.endedAt], ['requested', null, 0, null]);
    await claim('none', MORNING + 1);
  });

  test('lets every tenant have a turn before any has another', async () => {
    const { storage } = database();
    const now = MORNING - 9 * MINUTE;
    const single = await registered();
    for (const { tenant, docUid } of await Promise.all([1, 2, 3, 4].map(registered))) {
      const added = await storage.transaction((tx) =>
        Promise.all([1, 2, 3].map(() => addOutboundIn(tx, tenant, 40, newOutbound(), MORNING))),
      );
      for (const one of [docUid, ...added.map((more) => more.docUid)]) await request(tenant, one, now - MINUTE);
    }
    await request(single.tenant, single.docUid, now);
    const claimedNow: Edb[][] = [];
    const seen: Storage = {
      ...storage,
      tenants: {
        ...storage.tenants,
        // Nothing is done for a tenant that is gone: whose turn it is, is all that counts here.
        async find(edb) {
          claimedNow.at(-1)?.push(edb);
          return null;
        },
      },
    };
    const clock = clockAt(now);
    const deliver = deliverVoids({
      ...({} as VoidNeeds),
      storage: seen,
      clock,
      leaseMs: 60 * MINUTE,
      newToken: () => `turn ${claimedNow.length}`,
      onFailure: assert.fail,
    });
    for (const voids of [8, 8, 1]) {
      claimedNow.push([]);
      await deliver();
      assert.equal(claimedNow.at(-1)?.length, voids);
    }
    assert.deepEqual(
      claimedNow.map((edbs) => edbs.includes(single.tenant)),
      [false, true, false],
    );
  });

  test('gives two of a tenant at a time, so that many of one leave room for those of others', async () => {
    const { storage } = database();
    const many = await registered();
    const single = await registered();
    const docUids = await storage.transaction(async (tx) => {
      const added = [1, 2, 3].map(() => addOutboundIn(tx, many.tenant, 40, newOutbound(), MORNING));
      return (await Promise.all(added)).map(({ docUid }) => docUid);
    });
    for (const docUid of [many.docUid, ...docUids]) await request(many.tenant, docUid, MORNING - MINUTE);
    await request(single.tenant, single.docUid);
    const of = async (token: string) => {
      const given = await storage.transaction((tx) => tx.voids.claim({ token, until: MORNING + MINUTE }, MORNING, 3));
      return given.map(({ tenant }) => tenant).toSorted();
    };
    assert.deepEqual(await of('one'), [many.tenant, many.tenant, single.tenant].toSorted());
    assert.deepEqual(await of('two'), [many.tenant, many.tenant]);
  });

  test('takes the tenants of one user of the authority for one, which has one line there', async () => {
    const { storage } = database();
    const [single, ...many] = await Promise.all([1, 2, 3, 4].map(registered));
    if (single === undefined) return assert.fail();
    const ofUser = { ...newTenant(), eujpId: 'accountant' };
    await storage.transaction(async (tx) => {
      for (const { tenant: edb } of many) await tx.tenants.add({ ...ofUser, edb }, MORNING);
    });
    for (const { tenant, docUid } of many) await request(tenant, docUid, MORNING - MINUTE);
    await request(single.tenant, single.docUid);
    const of = async (token: string, served: readonly Edb[]) => {
      const lease = { token, until: MORNING + MINUTE };
      const given = await storage.transaction((tx) => tx.voids.claim(lease, MORNING, 100, { served }));
      return given.map(({ tenant }) => (tenant === single.tenant ? 'single' : 'of user')).toSorted();
    };
    assert.deepEqual(await of('one', []), ['of user', 'of user', 'single']);
    assert.deepEqual(await of('two', [many[0]?.tenant ?? assert.fail()]), [], 'another tenant of the user was served');
    assert.deepEqual(await of('three', [single.tenant]), ['of user']);
  });

  test('gives a void to one worker, and to another when the lease has ended; then the first writes nothing', async () => {
    const { tenant, docUid } = await registered();
    await request(tenant, docUid);
    const own = (all: readonly { readonly tenant: Edb }[]) => all.filter((one) => one.tenant === tenant).length;
    assert.deepEqual([own(await claim('a', MORNING)), own(await claim('b', MORNING))], [1, 0]);
    const begin = (token: string) =>
      database().storage.transaction((tx) =>
        tx.voids.beginSend(tenant, docUid, { token, until: MORNING + 2 * MINUTE }, SENT, MORNING + 5),
      );
    assert.deepEqual([await begin('b'), await begin('a')], [false, true]);
    assert.equal(own(await claim('b', MORNING + MINUTE + 1)), 0, 'beginning to send prolongs the lease');
    assert.equal(own(await claim('b', MORNING + 2 * MINUTE)), 1);
    const settle = (token: string) =>
      database().storage.transaction((tx) =>
        tx.voids.settle(tenant, docUid, token, { ...ENDED, state: 'registered', voidEuid: 'E' }),
      );
    assert.deepEqual([await begin('a'), await settle('a'), await settle('b')], [false, false, true]);
    const found = await database().storage.voids.find(tenant, docUid);
    assert.deepEqual(
      [found?.state, found?.voidEuid, found?.sent],
      ['registered', 'E', { ...SENT, sentAt: MORNING + 5 }],
    );
    assert.equal(await request(tenant, docUid), false, 'a document is voided once');
  });

  test('makes due what waits after a failure that may be over, for a look-up, or was put off untried; nothing else', async () => {
    const later = MORNING + 60 * MINUTE;
    const own = newEdb();
    const waiting = async (failureCode: string | null, tenant = own, state: 'requested' | 'sent' = 'requested') => {
      const { docUid } = await database().storage.transaction((tx) =>
        addOutboundIn(tx, tenant, 40, newOutbound(), MORNING),
      );
      await request(tenant, docUid);
      await claim('one', MORNING);
      const settlement = { state, dueAt: later, failures: 3, failureCode, failureMessage: null };
      await database().storage.transaction((tx) => tx.voids.settle(tenant, docUid, 'one', settlement));
      return async () => (await database().storage.voids.find(tenant, docUid))?.dueAt;
    };
    const dueAts = [
      await waiting('CREDENTIALS'),
      await waiting('SIGNER-UNAVAILABLE'),
      await waiting(null),
      await waiting('TIMEOUT', own, 'sent'),
      await waiting('AUTHORITY-UNREACHABLE'),
      await waiting('CREDENTIALS', newEdb()),
    ];
    const codes = ['CREDENTIALS', 'SIGNER-UNAVAILABLE'];
    await database().storage.transaction((tx) => tx.voids.retryNow(own, codes, MORNING + MINUTE));
    const now = MORNING + MINUTE;
    assert.deepEqual(await Promise.all(dueAts.map((dueAt) => dueAt())), [now, now, now, now, later, later]);
  });
});
