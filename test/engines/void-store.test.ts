import assert from 'node:assert/strict';
import { test } from 'node:test';
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
  const claim = (tenant: Edb, token: string, now: number) =>
    database().storage.transaction((tx) => tx.voids.claim(tenant, { token, until: now + MINUTE }, now, 100));

  test('keeps one void of a document, which can be requested again once it was refused', async () => {
    const { tenant, docUid } = await registered();
    const requests = await Promise.all([1, 2, 3].map(() => request(tenant, docUid)));
    assert.deepEqual(requests.toSorted(), [false, false, true]);
    const found = (await database().storage.voids.find(tenant, docUid)) ?? assert.fail('no void');
    assert.deepEqual([found.state, found.reason, found.sent, found.dueAt], ['requested', REASON, null, MORNING]);
    assert.equal(await database().storage.voids.find(newEdb(), docUid), null);
    const open = () => Promise.all([tenant, newEdb()].map((one) => database().storage.voids.countOpen(one)));
    assert.deepEqual(await open(), [1, 0]);
    await claim(tenant, 'one', MORNING);
    const settle = (state: 'refused' | 'registered') =>
      database().storage.transaction((tx) => tx.voids.settle(tenant, docUid, 'one', { ...ENDED, state }));
    assert.equal(await settle('refused'), true);
    assert.deepEqual(await open(), [0, 0]);
    assert.equal(await settle('registered'), false, 'the lease has ended');
    assert.equal(await request(tenant, docUid, MORNING + 1), true);
    const again = await database().storage.voids.find(tenant, docUid);
    assert.deepEqual([again?.state, again?.failureCode, again?.failures, again?.endedAt], ['requested', null, 0, null]);
    await claim(tenant, 'none', MORNING + 1);
  });

  /** Tenants for whom one user of the authority signs, each with so many voids. */
  async function tenantsOf(eujpId: string | null, voids: readonly number[], requestedAt: number) {
    const settings = voids.map(() => newTenant({ eujpId }));
    await database().storage.transaction(async (tx) => {
      for (const [index, tenant] of settings.entries()) {
        await tx.tenants.add(tenant, MORNING);
        for (let added = 0; added < (voids[index] ?? 0); added += 1) {
          const { docUid } = await addOutboundIn(tx, tenant.edb, 40, newOutbound(), MORNING);
          await tx.voids.request(tenant.edb, docUid, REASON, requestedAt);
        }
      }
    });
    return settings.map(({ edb }) => edb);
  }

  /** A worker that does nothing with what it claims but wait for `line`: whose turn it is, is all that counts here. */
  function workerAt(
    now: number,
    except: readonly Edb[] = [],
    line: (edb: Edb) => Promise<void> = async () => undefined,
  ) {
    const { storage } = database();
    let claimed: Edb[] = [];
    async function find(edb: Edb) {
      claimed.push(edb);
      await line(edb);
      return null;
    }
    const { startDue, finish } = deliverVoids({
      ...({} as VoidNeeds),
      storage: { ...storage, tenants: { ...storage.tenants, find } },
      clock: clockAt(now),
      leaseMs: 60 * MINUTE,
      newToken: () => 'turn',
      exceptOf: () => except,
      onFailure: assert.fail,
    });
    async function start(): Promise<readonly Edb[]> {
      claimed = [];
      await startDue();
      return claimed;
    }
    return { start, finish };
  }

  function turnsAt(now: number, except: readonly Edb[] = []) {
    const { start, finish } = workerAt(now, except);
    return async () => {
      const given = await start();
      await finish();
      return given;
    };
  }

  const among = (given: readonly Edb[], tenants: readonly Edb[]) => given.filter((edb) => tenants.includes(edb)).length;

  test('are given two of a user at a time, and every user has a turn before any has another', async () => {
    const now = MORNING - 90 * MINUTE;
    const many = [];
    for (const user of ['one', 'two', 'three', null]) many.push(await tenantsOf(user, [4], now - MINUTE));
    const [single = assert.fail()] = await tenantsOf(null, [1], now);
    const turn = turnsAt(now);
    const rounds = [await turn(), await turn(), await turn()];
    assert.deepEqual(
      rounds.map((given) => [given.length, given.includes(single)]),
      [
        [8, false],
        [8, true],
        [1, false],
      ],
    );
    assert.deepEqual(
      many.map((tenants) => among(rounds[0] ?? [], tenants)),
      [2, 2, 2, 2],
    );
  });

  test('of the tenants of one user are given in turn too, and those of another environment apart', async () => {
    const now = MORNING - 80 * MINUTE;
    const accountant = await tenantsOf('accountant', [8, 8], now - MINUTE);
    const [single = assert.fail()] = await tenantsOf('accountant', [1], now);
    const [elsewhere = assert.fail()] = await tenantsOf('accountant', [1], now);
    const [left = assert.fail()] = await tenantsOf('accountant', [1], now - 2 * MINUTE);
    await database().storage.transaction(async (tx) => {
      const tenant = (await tx.tenants.find(elsewhere)) ?? assert.fail();
      await tx.tenants.update({ ...tenant, environment: 'production' });
    });
    const turn = turnsAt(now, [left]);
    const rounds = [await turn(), await turn(), await turn()];
    assert.deepEqual(
      rounds.map((given) => [among(given, accountant), given.includes(single), given.includes(elsewhere)]),
      [
        [2, false, true],
        [2, false, false],
        [1, true, false],
      ],
    );
    assert.deepEqual(new Set(rounds.slice(0, 2).flat()), new Set([...accountant, elsewhere]), 'each has had its turn');
  });

  test('of a user go on while those of another wait in its line, of which no more are given meanwhile', async () => {
    const now = MORNING - 70 * MINUTE;
    const [slow = assert.fail()] = await tenantsOf('slow', [4], now);
    const line = Promise.withResolvers<void>();
    const { start, finish } = workerAt(now, [], async (edb) => (edb === slow ? line.promise : undefined));
    const first = await start();
    const [other = assert.fail()] = await tenantsOf('other', [3], now);
    const meanwhile = await start();
    line.resolve();
    await finish();
    const rounds = [first, meanwhile, await start()];
    assert.deepEqual(
      rounds.map((given) => [among(given, [slow]), among(given, [other])]),
      [
        [2, 0],
        [0, 2],
        [2, 1],
      ],
    );
    await finish();
  });

  test('gives a void to one worker, and to another when the lease has ended; then the first writes nothing', async () => {
    const { tenant, docUid } = await registered();
    await request(tenant, docUid);
    const claimedBy = async (token: string, now: number) => (await claim(tenant, token, now)).length;
    assert.deepEqual([await claimedBy('a', MORNING), await claimedBy('b', MORNING)], [1, 0]);
    const begin = (token: string) =>
      database().storage.transaction((tx) =>
        tx.voids.beginSend(tenant, docUid, { token, until: MORNING + 2 * MINUTE }, SENT, MORNING + 5),
      );
    assert.deepEqual([await begin('b'), await begin('a')], [false, true]);
    assert.equal(await claimedBy('b', MORNING + MINUTE + 1), 0, 'beginning to send prolongs the lease');
    assert.equal(await claimedBy('b', MORNING + 2 * MINUTE), 1);
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
      await claim(tenant, 'one', MORNING);
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
