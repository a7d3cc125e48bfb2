import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { daysBetween } from '../../../simulator/calendar.ts';
import {
  type FollowedStatus,
  followAuthorityStatus,
} from '../../../src/application/delivery/follow-authority-status.ts';
import { PartOfChanges } from '../../../src/application/errors/authority-answers.ts';
import {
  AuthorityCallError,
  type AuthorityStatusChange,
  type CallErrorKind,
} from '../../../src/application/ports/authority.ts';
import { daysAfter, skopjeDay } from '../../../src/domain/values/skopje-day.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { fc } from '../../support/seeds.ts';
import { anySkopjeTime } from '../../support/skopje-times.ts';
import { clockAt } from '../../support/test-clock.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const EUID = '01a1e35e-c000-7aaa-8bbb-000000000001';

describe('following the authority’s later statuses', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.close());

  test('asks for every day once it is over by any clock, however seldom it is done, for up to ninety days', async () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 80 * 24 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(anySkopjeTime, gaps, async (first, hours) => {
        const clock = clockAt(first);
        // The authority's clock may be behind ours.
        const dayForAll = () => skopjeDay(clock.now() - HOUR_MS);
        const askedOn = new Map<string, string>();
        const statusChanges = async (_: unknown, day: string) => {
          askedOn.set(day, dayForAll());
          return [];
        };
        const needs = { storage: database.storage, authority: { statusChanges }, clock, report: () => undefined };
        const follow = followAuthorityStatus(needs);
        let note: string | null = null;
        for (const gap of [0, ...hours]) {
          clock.advance(gap * HOUR_MS);
          note = await follow(newTenant(), note);
          assert.equal(note, dayForAll());
        }
        const today = skopjeDay(clock.now());
        for (const day of daysBetween(daysAfter(skopjeDay(first), -1), today)) {
          assert.ok((askedOn.get(day) ?? '') > day || day >= dayForAll(), `${day} was never seen to its end`);
        }
        assert.ok(askedOn.has(today));
      }),
      { numRuns: 50 },
    );
  });

  test('a day to come that a wrong clock has left is not waited for: nothing is skipped', async () => {
    const clock = clockAt();
    const asked: string[] = [];
    const statusChanges = async (_: unknown, day: string) => {
      asked.push(day);
      return [];
    };
    const needs = { storage: database.storage, authority: { statusChanges }, clock, report: () => undefined };
    const followedTo = await followAuthorityStatus(needs)(newTenant(), skopjeDay(MORNING + 30 * DAY_MS));
    assert.deepEqual(asked, [skopjeDay(MORNING - DAY_MS), skopjeDay(MORNING)]);
    assert.equal(followedTo, skopjeDay(MORNING - HOUR_MS));
  });

  test('a day that the authority cannot list keeps the statuses of no later one back, and is asked for again', async () => {
    const tenant = newTenant();
    const euid = EUID.replace(/1$/u, '3');
    const accepted = { accepted: true, euid, qrLink: null, registeredAt: null, message: 'ok', errors: [] };
    const ujp = { ...accepted, statusCode: '01', statusName: 'Нова' };
    const { docUid } = await database.storage.transaction((tx) =>
      addOutboundIn(tx, tenant.edb, 40, newOutbound(), MORNING, { ujp }),
    );
    const today = skopjeDay(MORNING);
    const [bad, yesterday] = [daysAfter(today, -2), daysAfter(today, -1)];
    const rejected = { euid, status: { code: '05', name: 'Одбиена' }, from: '01', at: MORNING + 2, reason: null };
    let kind: CallErrorKind | null = null;
    let asked: string[] = [];
    const statusChanges = async (_: unknown, day: string) => {
      asked.push(day);
      if (day === bad && kind !== null) throw new AuthorityCallError('not listed', { kind });
      return day === yesterday ? [rejected] : [];
    };
    const { storage } = database;
    const needs = { storage, authority: { statusChanges }, clock: clockAt(), report: () => undefined };
    const follow = followAuthorityStatus(needs);
    const codeNow = async () => (await storage.outbound.find(tenant.edb, docUid))?.ujp?.statusCode;
    for (kind of ['unreachable', 'busy', 'credentials', 'signing'] as const) {
      asked = [];
      await assert.rejects(follow(tenant, bad), { message: 'not listed' });
      assert.deepEqual([asked, await codeNow()], [[bad], '01'], kind);
    }
    for (kind of ['error', 'timeout', 'refused', 'request-refused'] as const) {
      asked = [];
      await assert.rejects(follow(tenant, bad), { message: 'not listed' });
      assert.deepEqual([asked, await codeNow()], [[bad, yesterday, today], '05'], kind);
    }
    kind = null;
    assert.equal(await follow(tenant, bad), skopjeDay(MORNING - HOUR_MS));
  });

  test('days that are not answered in time cost three requests where nothing is, and keep no other back where others are', async () => {
    const today = skopjeDay(MORNING);
    const [first, second, third] = [daysAfter(today, -4), daysAfter(today, -3), daysAfter(today, -2)];
    const follow = async (isLate: (day: string) => boolean) => {
      const asked: string[] = [];
      const statusChanges = async (_: unknown, day: string) => {
        asked.push(day);
        if (isLate(day)) throw new AuthorityCallError('late', { kind: 'timeout' });
        return [];
      };
      const needs = {
        storage: database.storage,
        authority: { statusChanges },
        clock: clockAt(),
        report: () => undefined,
      };
      await assert.rejects(followAuthorityStatus(needs)(newTenant(), first), { message: 'late' });
      return asked;
    };
    assert.deepEqual(await follow(() => true), [first, second, today]);
    assert.deepEqual(await follow((day) => day === first || day === third), daysBetween(first, today));
    // Several days in a row of one that has many documents.
    const isLong = (day: string) => day <= third;
    assert.deepEqual(await follow(isLong), [first, second, today, ...daysBetween(third, today)]);
  });

  test('of a day of which not all changes are given those that are take effect, and it is asked for again', async () => {
    const tenant = newTenant();
    const euid = EUID.replace(/1$/u, '4');
    const accepted = { accepted: true, euid, qrLink: null, registeredAt: null, message: 'ok', errors: [] };
    const ujp = { ...accepted, statusCode: '01', statusName: 'Нова' };
    const { storage } = database;
    const { docUid } = await storage.transaction((tx) =>
      addOutboundIn(tx, tenant.edb, 40, newOutbound(), MORNING, { ujp }),
    );
    const rejected = { euid, status: { code: '05', name: 'Одбиена' }, from: '01', at: MORNING + 2, reason: null };
    const statusChanges = () => Promise.reject(new PartOfChanges('one page of several', [rejected]));
    const needs = { storage, authority: { statusChanges }, clock: clockAt(), report: () => undefined };
    await assert.rejects(followAuthorityStatus(needs)(tenant, null), { message: 'one page of several' });
    assert.equal((await storage.outbound.find(tenant.edb, docUid))?.ujp?.statusCode, '05');
  });

  test('brings the last status of a day, and repeated looks change nothing', async () => {
    const tenant = newTenant();
    const accepted = { accepted: true, euid: EUID, qrLink: null, registeredAt: null, message: 'ok', errors: [] };
    const ujp = { ...accepted, statusCode: '01', statusName: 'Нова' };
    const { docUid } = await database.storage.transaction((tx) =>
      addOutboundIn(tx, tenant.edb, 40, newOutbound(), MORNING, { ujp }),
    );
    const changes: readonly AuthorityStatusChange[] = [
      { euid: EUID, status: { code: '01', name: 'Нова' }, from: null, at: MORNING + 1, reason: null },
      { euid: EUID, status: { code: '05', name: 'Одбиена' }, from: null, at: MORNING + 2, reason: 'Грешка во нарачка' },
      {
        euid: EUID.replace(/1$/u, '2'),
        status: { code: '03', name: 'Прифатена' },
        from: null,
        at: MORNING + 3,
        reason: null,
      },
    ];
    const authority = { statusChanges: async () => changes };
    const reported: string[] = [];
    const report = ({ euid, status }: FollowedStatus) => reported.push(`${euid} ${status.code}`);
    const follow = followAuthorityStatus({ storage: database.storage, authority, clock: clockAt(), report });
    for (let time = 0; time < 3; time += 1) {
      await follow(tenant, null);
      const found = await database.storage.outbound.find(tenant.edb, docUid);
      assert.deepEqual(found?.ujp, {
        ...ujp,
        statusCode: '05',
        statusName: 'Одбиена',
        message: 'Грешка во нарачка',
      });
      assert.equal(found?.status, 40);
      assert.deepEqual(reported, [`${EUID} 05`], 'reported once, and nobody else’s document at all');
    }
  });
});
