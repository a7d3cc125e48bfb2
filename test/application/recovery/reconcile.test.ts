import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { daysBetween, oneMonthAfter } from '../../../simulator/calendar.ts';
import { registeredBefore } from '../../../src/application/delivery/duplicate-number.ts';
import { AuthorityCallError, type CallErrorKind } from '../../../src/application/ports/authority.ts';
import type {
  ListedRegistration,
  RegisteredMarks,
} from '../../../src/application/ports/recovery/authority-register.ts';
import { reconcile } from '../../../src/application/recovery/reconcile.ts';
import { RESTORED } from '../../../src/domain/operations/delivery-hold.ts';
import { daysAfter, skopjeDay } from '../../../src/domain/values/skopje-day.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { fc } from '../../support/seeds.ts';
import { anySkopjeTime } from '../../support/skopje-times.ts';
import { clockAt } from '../../support/test-clock.ts';

const EUID = '01a1e35e-c000-7aaa-8bbb-000000000001';
const HOUR_MS = 3_600_000;
/** A document may be dated so much earlier or later than it is sent. */
const DATED_APART_DAYS = 62;

describe('reconciling', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
    const tenant = { ...newTenant(), eujpId: 'eujp-1' };
    const sealed = { sealedKey: new Uint8Array(1), sealedBy: 'AAAAAAAA' };
    const facts = { certificate: '', serialNumber: 'A1', validTo: MORNING, changedAt: MORNING };
    await database.storage.transaction(async (tx) => {
      await tx.tenants.add(tenant, MORNING);
      await tx.credentials.save({ tenant: tenant.edb, ...facts, ...sealed });
    });
  });
  after(() => database.close());

  test('asks for every day on which a document may be dated, never for more than a month at once', async () => {
    const hoursBack = fc.integer({ min: 0, max: 24 * 400 });
    await fc.assert(
      fc.asyncProperty(anySkopjeTime, hoursBack, async (now, hours) => {
        const asked: { readonly from: string; readonly to: string }[] = [];
        const register = {
          async registeredBetween(_: unknown, from: string, to: string) {
            asked.push({ from, to });
            return [];
          },
          registeredMarks: () => assert.fail('nothing is registered'),
          docIdOf: () => assert.fail('nothing is registered'),
        };
        const { storage } = database;
        const needs = { storage, register, clock: clockAt(now), record: async () => undefined, outcomeWindowMs: 0 };
        const since = now - hours * HOUR_MS;
        const { failed } = await reconcile(needs)(since, () => undefined);
        assert.deepEqual(failed, []);
        const first = daysAfter(skopjeDay(since), -DATED_APART_DAYS);
        const today = skopjeDay(now);
        assert.deepEqual(asked.shift(), { from: today, to: today }, 'whether it answers at all');
        const days = asked.flatMap(({ from, to }) => daysBetween(from, to)).toSorted();
        assert.deepEqual(days, daysBetween(first, daysAfter(today, DATED_APART_DAYS)));
        assert.ok(asked.every(({ from, to }) => from <= to && to <= oneMonthAfter(from)));
      }),
      { numRuns: 100 },
    );
  });

  test('does not end the hold where a taxpayer went to another environment meanwhile, which was not compared', async () => {
    const { storage } = database;
    const [tenant = assert.fail()] = await storage.tenants.list();
    await storage.transaction((tx) => tx.deliveryHold.set({ reason: RESTORED, since: MORNING }));
    const status = { code: '01', name: null };
    const registration = { euid: EUID, qrLink: null, registeredAt: null, status, message: null, answer: null };
    const goTo = (environment: 'test' | 'production') =>
      storage.transaction((tx) => tx.tenants.update({ ...tenant, environment }));
    const register = {
      registeredBetween: async () => [{ registration, docNumber: '1', docDate: '2026-11-16' }],
      async registeredMarks() {
        await goTo('production');
        const listed = { docNumber: '1', docDate: '2026-11-16' };
        return { ...listed, docId: 'other', docTypeCode: '100', isVoid: false, isSentForAnother: false };
      },
      docIdOf: () => 'own',
    };
    const needs = { storage, register, clock: clockAt(), record: async () => undefined, outcomeWindowMs: 0 };
    const changed = await reconcile(needs)(MORNING - HOUR_MS, () => undefined);
    assert.deepEqual([changed.isReleased, changed.stillHeld], [false, RESTORED]);
    assert.deepEqual(
      changed.failed.map(({ tenant: edb, reason }) => [edb, reason]),
      [[tenant.edb, 'its environment was changed meanwhile']],
    );
    // It was found in test, so its number is taken there and not in production.
    const marks = { docTypeCode: '100', docNumber: '1' };
    assert.equal(await storage.lostRegistrations.find(tenant.edb, marks), null);
    await goTo('test');
    assert.equal((await storage.lostRegistrations.find(tenant.edb, marks))?.euid, EUID);
    const none = { ...register, registeredBetween: async () => [] };
    const again = await reconcile({ ...needs, register: none })(MORNING - HOUR_MS, () => undefined);
    assert.deepEqual([again.failed, again.isReleased], [[], true]);
  });

  test('a document of another seller takes no number of the taxpayer who has sent it; one is named as its payload says', async () => {
    const { storage } = database;
    const [tenant = assert.fail()] = await storage.tenants.list();
    const status = { code: '01', name: null };
    const listed = ['A', 'B'].map((last) => {
      const euid = EUID.replace(/.$/u, last.toLowerCase());
      const registration = { euid, qrLink: null, registeredAt: null, status, message: null, answer: null };
      return { registration, docNumber: '', docDate: '' };
    });
    const marks = { docId: 'other', docTypeCode: '100', docDate: '2026-11-16', isVoid: false };
    const register = {
      registeredBetween: async () => listed,
      registeredMarks: async (
        _: unknown,
        { registration: { euid } }: { readonly registration: { readonly euid: string } },
      ) => ({
        ...marks,
        docNumber: euid.endsWith('a') ? 'SENT' : 'OWN',
        isSentForAnother: euid.endsWith('a'),
      }),
      docIdOf: () => 'own',
    };
    const needs = { storage, register, clock: clockAt(), record: async () => undefined, outcomeWindowMs: 0 };
    await reconcile(needs)(MORNING - HOUR_MS, () => undefined);
    const euidUnder = async (docNumber: string) =>
      (await storage.lostRegistrations.find(tenant.edb, { docTypeCode: '100', docNumber }))?.euid ?? null;
    assert.deepEqual([await euidUnder('SENT'), await euidUnder('OWN')], [null, EUID.replace(/.$/u, 'b')]);
  });

  /** Compares with a register of one document that says this of itself. */
  async function reconcileWithOne(euid: string, marks: Partial<RegisteredMarks> | AuthorityCallError) {
    const { storage } = database;
    const status = { code: '01', name: null };
    const registration = { euid, qrLink: null, registeredAt: null, status, message: null, answer: null };
    const [{ edb } = assert.fail()] = await storage.tenants.list();
    const read = { docId: null, docTypeCode: '380', docNumber: 'X', docDate: '2026-11-16', isVoid: false };
    const register = {
      registeredBetween: async () => [{ registration, docNumber: '', docDate: '' }],
      registeredMarks: async () => {
        if (marks instanceof Error) throw marks;
        return { ...read, isSentForAnother: false, ...marks };
      },
      docIdOf: () => 'own',
    };
    const needs = { storage, register, clock: clockAt(), record: async () => undefined, outcomeWindowMs: 0 };
    await storage.transaction((tx) => tx.deliveryHold.set({ reason: RESTORED, since: MORNING }));
    const done = await reconcile(needs)(MORNING - HOUR_MS, () => undefined);
    const find = (docTypeCode: string, docNumber: string) =>
      storage.lostRegistrations.find(edb, { docTypeCode, docNumber });
    return { done, find };
  }

  test('a document without a readable docId is named, takes its number, and lets the hold end', async () => {
    const euid = EUID.replace(/.$/u, 'c');
    const { done, find } = await reconcileWithOne(euid, { docNumber: 'NO-DOC-ID' });
    assert.deepEqual([done.failed, done.isReleased], [[], true]);
    assert.deepEqual(
      done.settled.map((one) => [one.euid, one.docTypeCode, one.docNumber, one.outcome, one.docUid]),
      [[euid, '380', 'NO-DOC-ID', 'unclear', null]],
    );
    assert.deepEqual([(await find('380', 'NO-DOC-ID'))?.docId, await find('381', 'NO-DOC-ID')], [null, null]);
    const [{ edb } = assert.fail()] = await database.storage.tenants.list();
    const kept = await registeredBefore(database.storage, edb, { docTypeCode: '380', docNumber: 'NO-DOC-ID' });
    assert.deepEqual(kept?.code, 'DUPLICATE-NUMBER', 'no document of this type and number is sent');
    assert.match(kept.message, new RegExp(`as ${euid}; it does not show whether it is this one`, 'u'));
    const voided = await reconcileWithOne(EUID.replace(/.$/u, 'd'), { docNumber: 'NO-DOC-ID-VOID', isVoid: true });
    assert.deepEqual([voided.done.settled, await voided.find('380', 'NO-DOC-ID-VOID')], [[], null]);
  });

  test('one that was cancelled here, or has another EUID, takes its number, also where that is on record already', async () => {
    const { storage } = database;
    const [{ edb } = assert.fail()] = await storage.tenants.list();
    const status = { statusCode: '01', statusName: null };
    const ujp = { accepted: true, euid: EUID, qrLink: null, registeredAt: null, ...status, message: null, errors: [] };
    for (const [last, here, changes] of [
      ['1', 60, {}],
      ['2', 40, { ujp }],
    ] as const) {
      const document = newOutbound();
      const docNumber = document.facts.documentNumber ?? assert.fail('it has a number');
      const { docUid } = await storage.transaction((tx) => addOutboundIn(tx, edb, here, document, MORNING, changes));
      const found = { docId: 'own', docTypeCode: '380', docNumber };
      const euid = `01a1e35e-c000-7aaa-8bbb-00000000002${last}`;
      const { done, find } = await reconcileWithOne(euid, found);
      assert.deepEqual(
        done.settled.map((one) => [one.docUid, one.outcome]),
        [[docUid, 'stray']],
      );
      assert.equal((await find('380', docNumber))?.euid, euid);
      assert.deepEqual((await reconcileWithOne(euid, found)).done.settled, []);
    }
  });

  test('one without a readable type takes its number for every type', async () => {
    for (const [last, docId] of [
      ['e', null],
      ['f', 'other'],
    ] as const) {
      const docNumber = `NO-TYPE-${last}`;
      const { find } = await reconcileWithOne(EUID.replace(/.$/u, last), { docId, docTypeCode: '', docNumber });
      for (const type of ['380', '381']) assert.notEqual(await find(type, docNumber), null, `${type} ${docNumber}`);
    }
  });

  test('one without a readable number keeps its taxpayer from being compared', async () => {
    for (const docId of [null, 'other']) {
      const { done } = await reconcileWithOne('01a1e35e-c000-7aaa-8bbb-000000000010', { docId, docNumber: '' });
      assert.deepEqual([done.failed.length, done.isReleased, done.stillHeld], [1, false, RESTORED]);
      assert.match(done.failed[0]?.reason ?? '', /no readable number of 01a1e35e/u);
    }
    await database.storage.transaction((tx) => tx.deliveryHold.end());
  });

  test('says on which registration the authority fails', async () => {
    const euid = '01a1e35e-c000-7aaa-8bbb-000000000030';
    const answered = (message: string) => new AuthorityCallError(message, { kind: 'error' });
    for (const [message, reason] of [
      ['E5000', `E5000, when asked for what is registered as ${euid}`],
      [`no readable payload of ${euid}`, `no readable payload of ${euid}`],
    ] as const) {
      const { done } = await reconcileWithOne(euid, answered(message));
      assert.deepEqual([done.failed.map((one) => one.reason), done.isReleased], [[reason], false]);
    }
    await database.storage.transaction((tx) => tx.deliveryHold.end());
  });

  test('what the authority fails on keeps no other from being compared, and none is asked for twice', async () => {
    const { storage } = database;
    const [{ edb } = assert.fail()] = await storage.tenants.list();
    const euidsFrom = (first: number, length = 14) =>
      Array.from({ length }, (_, index) => EUID.replace(/..$/u, String(first + index)));
    let euids = euidsFrom(40);
    const status = { code: '01', name: null };
    let failing: (euid: string) => CallErrorKind | null = () => null;
    let unlisted: string | null = null;
    let asked: string[] = [];
    const register = {
      async registeredBetween(_: unknown, from: string) {
        if (from === unlisted) throw new AuthorityCallError('No list', { kind: 'error' });
        return euids.map((euid) => {
          const registration = { euid, qrLink: null, registeredAt: null, status, message: null, answer: null };
          return { registration, docNumber: euid, docDate: from };
        });
      },
      async registeredMarks(_: unknown, { registration: { euid } }: ListedRegistration) {
        asked.push(euid);
        const kind = failing(euid);
        if (kind !== null) throw new AuthorityCallError('No answer', { kind });
        const listed = { docNumber: `LOST ${euid}`, docDate: '2026-11-16' };
        return { ...listed, docId: 'other', docTypeCode: '380', isVoid: false, isSentForAnother: false };
      },
      docIdOf: () => 'own',
    };
    const needs = { storage, register, clock: clockAt(), record: async () => undefined, outcomeWindowMs: 0 };
    const compare = async () => {
      asked = [];
      const done = await reconcile(needs)(MORNING - HOUR_MS, () => undefined);
      return { ...done, reasons: done.failed.map(({ reason }) => reason) };
    };
    await storage.transaction((tx) => tx.deliveryHold.set({ reason: RESTORED, since: MORNING }));
    const [, second = '', third = ''] = euids;
    const whenAskedFor = (euid: string) => `No answer, when asked for what is registered as ${euid}`;

    failing = (euid) => (euid === second ? 'error' : null);
    unlisted = daysAfter(skopjeDay(MORNING - HOUR_MS), -DATED_APART_DAYS);
    const { settled, isReleased, reasons } = await compare();
    const weeks = `${unlisted} to ${daysAfter(unlisted, 27)}`;
    assert.deepEqual([settled.length, isReleased], [13, false]);
    assert.deepEqual(reasons, [`No list; not compared: documents dated ${weeks}`]);
    const taken = await registeredBefore(storage, edb, { docTypeCode: '380', docNumber: `LOST ${third}` });
    assert.equal(taken?.code, 'DUPLICATE-NUMBER', 'its number is taken, whoever ends the hold');
    unlisted = null;
    assert.deepEqual((await compare()).reasons, [whenAskedFor(second)]);
    assert.deepEqual(asked, [second], 'the others are on record');

    failing = () => null;
    const again = await compare();
    assert.deepEqual([again.settled.map(({ euid }) => euid), again.isReleased], [[second], true]);

    euids = euidsFrom(60, 30);
    failing = () => 'timeout';
    const inOutage = await compare();
    assert.equal(asked.length, 20, 'whoever answers nothing is not asked for everything');
    assert.deepEqual(inOutage.reasons, [`${whenAskedFor(euids[0] ?? '')}; 30 registrations are not compared`]);
    failing = () => 'signing';
    await compare();
    assert.equal(asked.length, 1);
  });

  test('any number in a row that cannot be read keep no other from being compared: the authority answers', async () => {
    const { storage } = database;
    const euids = Array.from({ length: 12 }, (_, index) => EUID.replace(/..$/u, String(80 + index)));
    const last = euids.at(-1) ?? '';
    const status = { code: '01', name: null };
    const register = {
      registeredBetween: async () =>
        euids.map((euid) => {
          const registration = { euid, qrLink: null, registeredAt: null, status, message: null, answer: null };
          return { registration, docNumber: '', docDate: '' };
        }),
      async registeredMarks(_: unknown, { registration: { euid } }: ListedRegistration) {
        const marks = { docDate: '2026-11-16', docId: 'other', docTypeCode: '380', isVoid: false };
        return { ...marks, docNumber: euid === last ? 'BEHIND' : '', isSentForAnother: false };
      },
      docIdOf: () => 'own',
    };
    const needs = { storage, register, clock: clockAt(), record: async () => undefined, outcomeWindowMs: 0 };
    const { settled, failed } = await reconcile(needs)(MORNING - HOUR_MS, () => undefined);
    assert.deepEqual(
      settled.map(({ euid }) => euid),
      [last],
    );
    assert.match(failed[0]?.reason ?? '', /; 11 registrations are not compared$/u);
  });

  test('names and counts a taxpayer once that could not be asked for and went to another environment', async () => {
    const { storage } = database;
    const [tenant = assert.fail()] = await storage.tenants.list();
    const register = {
      async registeredBetween() {
        await storage.transaction((tx) => tx.tenants.update({ ...tenant, environment: 'production' }));
        throw new AuthorityCallError('No answer', { kind: 'unreachable' });
      },
      registeredMarks: () => assert.fail('nothing is registered'),
      docIdOf: () => assert.fail('nothing is registered'),
    };
    const targets: string[] = [];
    const record = async (_: unknown, { target }: { readonly target: string }) => void targets.push(target);
    const needs = { storage, register, clock: clockAt(), record, outcomeWindowMs: 0 };
    const { failed } = await reconcile(needs)(MORNING - HOUR_MS, () => undefined);
    assert.deepEqual(failed, [{ tenant: tenant.edb, reason: 'No answer' }]);
    assert.deepEqual(targets, ['0 registrations, 0 settled, 1 taxpayer not asked']);
  });

  test('compares without the days to come where the authority refuses to list them, and says so', async () => {
    const { storage } = database;
    const [{ edb } = assert.fail()] = await storage.tenants.list();
    const tomorrow = daysAfter(skopjeDay(MORNING), 1);
    const said = [{ code: 'E4014', message: 'range' }];
    const reconcileWith = (
      kind: 'refused' | 'request-refused' | 'timeout',
      isRefused: (to: string) => boolean,
      errors = said,
    ) => {
      const register = {
        async registeredBetween(_: unknown, _from: string, to: string) {
          if (isRefused(to)) throw new AuthorityCallError('E4014 range', { kind, errors });
          return [];
        },
        registeredMarks: () => assert.fail('nothing is registered'),
        docIdOf: () => assert.fail('nothing is registered'),
      };
      const needs = { storage, register, clock: clockAt(), record: async () => undefined, outcomeWindowMs: 0 };
      return reconcile(needs)(MORNING - HOUR_MS, () => undefined);
    };
    const reason = 'E4014 range';
    for (const kind of ['refused', 'request-refused'] as const) {
      await storage.transaction((tx) => tx.deliveryHold.set({ reason: RESTORED, since: MORNING }));
      const done = await reconcileWith(kind, (to) => to > tomorrow);
      assert.deepEqual([done.failed, done.isReleased], [[], true]);
      assert.deepEqual(done.aheadRefused, [{ tenant: edb, reason }]);
    }
    const failing = [
      await reconcileWith('timeout', (to) => to > tomorrow),
      await reconcileWith('refused', () => true),
      // The page of a firewall, and a code that is not the authority's.
      await reconcileWith('request-refused', (to) => to > tomorrow, []),
      await reconcileWith('request-refused', (to) => to > tomorrow, [{ code: 'BLOCKED', message: 'by a rule' }]),
    ];
    for (const [index, { failed, aheadRefused }] of failing.entries()) {
      const isAllRefused = index === 1;
      const last = isAllRefused ? tomorrow : daysAfter(tomorrow, DATED_APART_DAYS - 1);
      assert.match(
        failed[0]?.reason ?? '',
        new RegExp(`^E4014 range; not compared: documents dated \\S+ to ${last}$`, 'u'),
      );
      assert.deepEqual(aheadRefused, isAllRefused ? [{ tenant: edb, reason }] : []);
    }
  });
});
