import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { AuthorityCallError, type CallErrorKind } from '../../../src/application/ports/authority.ts';
import type { ListedRegistration } from '../../../src/application/ports/recovery/authority-register.ts';
import { type ReconcileStep, reconcile } from '../../../src/application/recovery/reconcile.ts';
import type { Edb } from '../../../src/domain/accounts/edb.ts';
import type { Tenant } from '../../../src/domain/accounts/tenant.ts';
import { RESTORED } from '../../../src/domain/operations/delivery-hold.ts';
import { daysAfter, skopjeDay } from '../../../src/domain/values/skopje-day.ts';
import { MORNING, newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const HOUR_MS = 3_600_000;
const TODAY = skopjeDay(MORNING);
const SINCE = MORNING - 100 * 24 * HOUR_MS;
/** Documents may be dated so much earlier than they are sent. */
const FIRST_DAY = daysAfter(skopjeDay(SINCE), -62);
const LAST_DAY = daysAfter(TODAY, 62);
const FAILED = 'E5000 Internal server error';

type Answers = {
  /** Why a list is not had; null where it is. */
  readonly listFails?: (tenant: Edb, from: string, to: string) => CallErrorKind | null;
  readonly registered?: readonly string[];
  readonly isUnreadable?: (euid: string) => boolean;
  readonly unreadableBy?: CallErrorKind;
};

describe('reconciling with an authority that fails for good', () => {
  let database: TestDatabase;
  let edbs: readonly Edb[] = [];
  before(async () => {
    database = await createTestDatabase();
    const sealed = { sealedKey: new Uint8Array(1), sealedBy: 'AAAAAAAA' };
    const facts = { certificate: '', serialNumber: 'A1', validTo: MORNING, changedAt: MORNING };
    await database.storage.transaction(async (tx) => {
      for (const tenant of [newTenant(), newTenant()]) {
        await tx.tenants.add({ ...tenant, eujpId: 'eujp-1' }, MORNING);
        await tx.credentials.save({ tenant: tenant.edb, ...facts, ...sealed });
      }
    });
    edbs = (await database.storage.tenants.list()).map(({ edb }) => edb);
  });
  after(() => database.close());
  beforeEach(() =>
    database.storage.transaction(async (tx) => {
      await tx.deliveryHold.end();
      await tx.deliveryHold.set({ reason: RESTORED, since: MORNING });
    }),
  );

  async function reconcileWith({
    listFails = () => null,
    registered = [],
    isUnreadable = () => false,
    unreadableBy = 'error',
  }: Answers) {
    const { storage } = database;
    const asked: string[] = [];
    const steps: ReconcileStep[] = [];
    const status = { code: '01', name: null };
    const register = {
      async registeredBetween({ edb }: Tenant, from: string, to: string) {
        asked.push(`${edb} ${from} ${to}`);
        const kind = listFails(edb, from, to);
        if (kind !== null) throw new AuthorityCallError(FAILED, { kind });
        return registered.map((euid) => {
          const registration = { euid, qrLink: null, registeredAt: null, status, message: null, answer: null };
          return { registration, docNumber: `N ${euid.slice(-2)}`, docDate: TODAY };
        });
      },
      async registeredMarks(_: unknown, { registration: { euid }, docNumber }: ListedRegistration) {
        asked.push(euid);
        if (isUnreadable(euid)) throw new AuthorityCallError(FAILED, { kind: unreadableBy });
        return { docId: 'x', docTypeCode: '380', docNumber, docDate: TODAY, isVoid: false, isSentForAnother: false };
      },
      docIdOf: () => 'own',
    };
    const needs = { storage, register, clock: clockAt(), record: async () => undefined, outcomeWindowMs: 0 };
    const done = await reconcile(needs)(SINCE, (step) => steps.push(step));
    return { ...done, asked, steps };
  }

  test('one that answers nothing is asked for one day of each taxpayer, and each is named', async () => {
    for (const kind of ['timeout', 'unreachable', 'credentials', 'signing'] as const) {
      const { asked, failed, stillHeld, steps } = await reconcileWith({ listFails: () => kind });
      assert.deepEqual(
        asked,
        edbs.map((edb) => `${edb} ${TODAY} ${TODAY}`),
      );
      assert.deepEqual(
        failed,
        edbs.map((tenant) => ({ tenant, reason: FAILED })),
      );
      assert.equal(stillHeld, RESTORED);
      assert.deepEqual(
        steps.map(({ tenant, notCompared }) => [tenant, notCompared]),
        edbs.map((edb, before) => [edb, before]),
      );
    }
  });

  test('one that has just answered is not asked for a day: each request keeps delivery held for longer', async () => {
    const { asked, isReleased } = await reconcileWith({});
    const days = asked.filter((one) => one.endsWith(`${TODAY} ${TODAY}`));
    assert.deepEqual([days, isReleased], [[`${edbs[0]} ${TODAY} ${TODAY}`], true]);
  });

  test('weeks that it can never list keep no others from being compared, and are named', async () => {
    const [one = assert.fail(), other] = edbs;
    const [four, oldest] = [daysAfter(FIRST_DAY, 4 * 28 - 1), daysAfter(FIRST_DAY, 27)];
    const registered = ['01a1e35e-c000-7aaa-8bbb-000000000001'];
    const old = await reconcileWith({
      listFails: (edb, from) => (edb === one && from <= four ? 'error' : null),
      registered,
    });
    assert.deepEqual(old.failed, [
      { tenant: one, reason: `${FAILED}; not compared: documents dated ${FIRST_DAY} to ${four}` },
    ]);
    assert.deepEqual(
      old.settled.map(({ tenant }) => tenant),
      [one, other],
    );
    assert.deepEqual([old.uncompared, old.isReleased], [[one], true]);
    const two = await reconcileWith({
      listFails: (edb, from) => (edb === one && (from === FIRST_DAY || from === daysAfter(four, 1)) ? 'error' : null),
    });
    const days = `${FIRST_DAY} to ${oldest}, ${daysAfter(four, 1)} to ${daysAfter(four, 28)}`;
    assert.deepEqual(two.failed, [{ tenant: one, reason: `${FAILED}; not compared: documents dated ${days}` }]);
  });

  test('any number of registrations beside each other that can never be read keep none behind them from being compared', async () => {
    const euids = Array.from({ length: 30 }, (_, index) => `01a1e35e-c000-7aaa-8bbb-0000000001${10 + index}`);
    const unreadable = euids.slice(5, 25);
    const [one] = edbs;
    const { settled, failed, unread } = await reconcileWith({
      listFails: (edb) => (edb === one ? null : 'credentials'),
      registered: euids,
      isUnreadable: (euid) => unreadable.includes(euid),
    });
    assert.deepEqual(
      settled.map(({ euid }) => euid).toSorted(),
      euids.filter((euid) => !unreadable.includes(euid)),
    );
    assert.match(
      failed[0]?.reason ?? '',
      /when asked for what is registered as .*15; 20 registrations are not compared$/u,
    );
    assert.deepEqual(
      unread.map(({ tenant, euid, docNumber, docDate }) => [tenant, euid, docNumber, docDate]).toSorted(),
      unreadable.map((euid) => [one, euid, `N ${euid.slice(-2)}`, TODAY]),
    );
  });

  test('nor do weeks and registrations that never come in time, where the documents of today do', async () => {
    const [one] = edbs;
    const [four, tomorrow] = [daysAfter(FIRST_DAY, 4 * 28 - 1), daysAfter(TODAY, 1)];
    const euids = Array.from({ length: 30 }, (_, index) => `01a1e35e-c000-7aaa-8bbb-0000000002${10 + index}`);
    const late = euids.slice(5, 25);
    const { settled, failed, unread, asked } = await reconcileWith({
      listFails: (edb, from) => {
        if (edb !== one) return 'credentials';
        return from <= four || from > tomorrow ? 'timeout' : null;
      },
      registered: euids,
      isUnreadable: (euid) => late.includes(euid),
      unreadableBy: 'timeout',
    });
    const days = `${FIRST_DAY} to ${four}, ${daysAfter(tomorrow, 1)} to ${LAST_DAY}`;
    assert.equal(failed[0]?.reason, `${FAILED}; not compared: documents dated ${days}`);
    assert.ok(asked.some((span) => span.startsWith(`${one} `) && span.endsWith(tomorrow)));
    assert.deepEqual(
      [settled.map(({ euid }) => euid).toSorted(), unread.map(({ euid }) => euid).toSorted()],
      [euids.filter((euid) => !late.includes(euid)), late],
    );
  });

  test('what is on record between others does not pass for an answer of one that says nothing', async () => {
    const [one] = edbs;
    const euids = Array.from({ length: 60 }, (_, index) => `01a1e35e-c000-7aaa-8bbb-0000000003${10 + index}`);
    const listFails = (edb: Edb) => (edb === one ? null : 'credentials');
    const isOdd = (euid: string) => Number(euid.at(-1)) % 2 === 1;
    const first = await reconcileWith({ listFails, registered: euids, isUnreadable: isOdd });
    assert.equal(first.settled.length, 30);
    const away = await reconcileWith({ listFails, registered: euids, isUnreadable: isOdd, unreadableBy: 'timeout' });
    assert.equal(away.asked.filter((asked) => euids.includes(asked)).length, 20);
    assert.equal(away.unread.length, 30);
  });
});
