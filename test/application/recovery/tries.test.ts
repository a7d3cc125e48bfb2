import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysBetween } from '../../../simulator/calendar.ts';
import { UnusableAnswer } from '../../../src/application/errors/authority-answers.ts';
import { AuthorityCallError, type CallErrorKind } from '../../../src/application/ports/authority.ts';
import { registeredSince } from '../../../src/application/recovery/registered-since.ts';
import { tryEach } from '../../../src/application/recovery/tries.ts';
import { daysAfter, skopjeDay } from '../../../src/domain/values/skopje-day.ts';
import { MORNING, newTenant } from '../../engines/samples.ts';
import { fc } from '../../support/seeds.ts';
import { clockAt } from '../../support/test-clock.ts';

const DAY_MS = 86_400_000;
const DATED_APART_DAYS = 62;
const SPAN = /(\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d)/gu;

test('each is had, named as failed or named as not asked for; those are between as many failures from both ends', async () => {
  const outcome = fc.constantFrom('had', 'had', 'unusable', 'error', 'timeout', 'credentials' as const);
  await fc.assert(
    fc.asyncProperty(fc.array(outcome, { maxLength: 24 }), fc.integer({ min: 1, max: 4 }), async (outcomes, most) => {
      const asked: number[] = [];
      const items = outcomes.map((_, index) => index);
      const { failed, untried } = await tryEach(items, most, async (item) => {
        asked.push(item);
        const kind = outcomes[item] ?? 'had';
        if (kind === 'unusable') throw new UnusableAnswer('x');
        if (kind !== 'had') throw new AuthorityCallError('x', { kind });
      });
      assert.deepEqual(
        [...asked, ...untried].toSorted((one, other) => one - other),
        items,
      );
      assert.deepEqual(
        failed.map(({ item }) => item),
        asked.filter((item) => outcomes[item] !== 'had'),
      );
      if (asked.some((item) => outcomes[item] === 'credentials')) {
        assert.equal(outcomes[asked.at(-1) ?? 0], 'credentials', 'nothing is asked for after that');
        return;
      }
      const [first, last] = [untried[0], untried.at(-1)];
      if (first === undefined || last === undefined) return;
      for (const beside of [items.slice(first - most, first), items.slice(last + 1, last + 1 + most)]) {
        assert.equal(beside.length, most);
        assert.ok(beside.every((item) => outcomes[item] === 'error' || outcomes[item] === 'timeout'));
      }
    }),
    { numRuns: 100 },
  );
});

test('every day on which a document may be dated was listed, or is named', async () => {
  const today = skopjeDay(MORNING);
  const last = daysAfter(today, DATED_APART_DAYS);
  const failures = fc.array(
    fc.record({
      day: fc.integer({ min: -200, max: DATED_APART_DAYS }).map((days) => daysAfter(today, days)),
      kind: fc.constantFrom<CallErrorKind>('error', 'timeout', 'unreachable', 'credentials', 'busy', 'refused'),
    }),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(120), failures, fc.boolean(), async (daysBack, failing, hasAnswered) => {
      const listed = new Set<string>();
      const register = {
        async registeredBetween(_: unknown, from: string, to: string) {
          const failure = failing.find(({ day }) => day >= from && day <= to);
          if (failure !== undefined) throw new AuthorityCallError('x', { kind: failure.kind });
          for (const day of daysBetween(from, to)) listed.add(day);
          return [];
        },
      };
      const since = MORNING - daysBack * DAY_MS;
      const tenant = { ...newTenant(), eujpId: 'eujp-1', stopped: null };
      const needs = { register, clock: clockAt() };
      const { failure } = await registeredSince(needs, tenant, { since, hasAnswered }, () => undefined);
      const all = daysBetween(daysAfter(skopjeDay(since), -DATED_APART_DAYS), last);
      // Without dates it is said of all of them.
      const named = new Set<string>(failure === 'x' ? all : []);
      for (const [, from = '', to = ''] of (failure ?? '').matchAll(SPAN))
        for (const day of daysBetween(from, to)) named.add(day);
      assert.deepEqual(
        all.filter((day) => !listed.has(day) && !named.has(day)),
        [],
      );
      assert.equal(failure === null, named.size === 0);
      assert.ok([...named].every((day) => all.includes(day)));
    }),
    { numRuns: 20 },
  );
});
