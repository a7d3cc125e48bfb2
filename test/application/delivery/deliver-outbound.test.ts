import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deliverOutbound } from '../../../src/application/delivery/deliver-outbound.ts';
import type { DeliveryNeeds } from '../../../src/application/delivery/delivery.ts';
import { ServiceUnavailable } from '../../../src/application/errors/service-unavailable.ts';
import type { Storage } from '../../../src/application/ports/storage/storage.ts';
import { MORNING, newOutbound, newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const SECOND = 1_000;
const LEASE = { token: 'worker', until: MORNING + 60 * SECOND };

describe('a delivery that comes to no end', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.close());

  /** Takes a document and fails with the error; true when another worker may take it so much later. */
  async function failing(error: Error): Promise<(laterMs: number) => Promise<boolean>> {
    const { storage } = database;
    const settings = newTenant();
    const { tenant, document } = await storage.transaction(async (tx) => {
      await tx.tenants.add(settings, MORNING);
      await tx.outbound.add(settings.edb, newOutbound({ holdMs: 0 }), MORNING);
      const [document = assert.fail()] = await tx.deliveries.claim(settings.edb, 'delivery', LEASE, MORNING, 1);
      return { tenant: (await tx.tenants.find(settings.edb)) ?? assert.fail(), document };
    });
    const outbound: Storage['outbound'] = { ...storage.outbound, file: () => Promise.reject(error) };
    const clock = clockAt();
    const unused = {} as Pick<DeliveryNeeds, 'authority' | 'reader' | 'hasher' | 'random' | 'report'>;
    const needs = { ...unused, storage: { ...storage, outbound }, clock, leaseMs: 60 * SECOND, outcomeWindowMs: 0 };
    const delivery = { tenant, document, token: LEASE.token, claimedAt: MORNING };
    await assert.rejects(deliverOutbound(needs)(delivery), error);
    return async (laterMs) => {
      const now = MORNING + laterMs;
      const lease = { token: 'another', until: now + SECOND };
      const claimed = await storage.transaction((tx) => tx.deliveries.claim(tenant.edb, 'delivery', lease, now, 1));
      return claimed.length === 1;
    };
  }

  test('is taken up again in seconds when it was the database that could not serve', async () => {
    const isDue = await failing(new ServiceUnavailable('The database cannot serve at this moment.'));
    assert.deepEqual([await isDue(4 * SECOND), await isDue(10 * SECOND)], [false, true]);
  });

  test('is taken up again after minutes when nobody foresaw what happened', async () => {
    const isDue = await failing(new Error('unforeseen'));
    assert.deepEqual([await isDue(299 * SECOND), await isDue(300 * SECOND)], [false, true]);
  });
});
