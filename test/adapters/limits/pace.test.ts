import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPace } from '../../../src/adapters/limits/pace.ts';
import { ServiceStopping } from '../../../src/application/errors/service-stopping.ts';
import { newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { clockAt } from '../../support/test-clock.ts';

const HOUR_MS = 3_600_000;
const tenant = newTenant({ eujpId: 'user' });

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('a stop interrupts whoever waits for a turn, and nobody gets another one', async () => {
  const stopping = new AbortController();
  const { storage } = database;
  const pace = createPace({ storage, clock: clockAt(), intervalMs: HOUR_MS, stopping: stopping.signal });
  await pace.turn(tenant);
  const waiting = pace.turn(tenant);
  stopping.abort();
  await assert.rejects(waiting, ServiceStopping);
  await assert.rejects(pace.turn(newTenant({ eujpId: 'another' })), ServiceStopping);
  const unlimited = createPace({ storage, clock: clockAt(), intervalMs: 0, stopping: stopping.signal });
  await assert.rejects(unlimited.turn(tenant), ServiceStopping);
});

test('a request that is on record gets its turn also while the service stops', async () => {
  const stopping = new AbortController();
  const pace = createPace({
    storage: database.storage,
    clock: clockAt(),
    intervalMs: 1,
    stopping: stopping.signal,
  });
  stopping.abort();
  const sender = newTenant({ eujpId: 'sender' });
  for (let turn = 0; turn < 3; turn += 1) await pace.turn(sender, { mustComplete: true });
});
