import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { daysBetween, oneMonthAfter } from '../../../simulator/calendar.ts';
import { reconcile } from '../../../src/application/recovery/reconcile.ts';
import { daysAfter, skopjeDay } from '../../../src/domain/values/skopje-day.ts';
import { MORNING, newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { fc } from '../../support/seeds.ts';
import { anySkopjeTime } from '../../support/skopje-times.ts';
import { clockAt } from '../../support/test-clock.ts';

const HOUR_MS = 3_600_000;
/** A document may be dated so much earlier than it is sent. */
const DATED_EARLIER_DAYS = 62;

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
        const first = daysAfter(skopjeDay(since), -DATED_EARLIER_DAYS);
        const days = asked.flatMap(({ from, to }) => daysBetween(from, to));
        assert.deepEqual(days, daysBetween(first, daysAfter(skopjeDay(now), 1)));
        assert.ok(asked.every(({ from, to }) => from <= to && to <= oneMonthAfter(from)));
      }),
      { numRuns: 100 },
    );
  });
});
