import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPace } from '../../../src/adapters/limits/pace.ts';
import { systemClock } from '../../../src/adapters/platform/platform.ts';
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
  const { urgent: pace } = createPace({ storage, clock: clockAt(), intervalMs: HOUR_MS, stopping: stopping.signal });
  await pace.turn(tenant);
  const waiting = pace.turn(tenant);
  stopping.abort();
  await assert.rejects(waiting, ServiceStopping);
  await assert.rejects(pace.turn(newTenant({ eujpId: 'another' })), ServiceStopping);
  const { urgent: unlimited } = createPace({ storage, clock: clockAt(), intervalMs: 0, stopping: stopping.signal });
  await assert.rejects(unlimited.turn(tenant), ServiceStopping);
});

test('a request that is on record gets its turn also while the service stops', async () => {
  const stopping = new AbortController();
  const { urgent: pace } = createPace({
    storage: database.storage,
    clock: clockAt(),
    intervalMs: 1,
    stopping: stopping.signal,
  });
  stopping.abort();
  const sender = newTenant({ eujpId: 'sender' });
  for (let turn = 0; turn < 3; turn += 1) await pace.turn(sender, { mustComplete: true });
});

test('an urgent request overtakes the background work of its user, whichever tenants it is for', async () => {
  const pace = createPace({
    storage: database.storage,
    clock: systemClock,
    intervalMs: 5,
    stopping: new AbortController().signal,
  });
  const order: string[] = [];
  const ask = async (urgency: 'urgent' | 'background', name: string) => {
    await pace[urgency].turn(newTenant({ eujpId: 'accountant' }));
    order.push(name);
  };
  const follows = Array.from({ length: 10 }, (_, index) => ask('background', `follow ${index}`));
  await Promise.all([...follows, ask('urgent', 'container'), ask('urgent', 'another')]);
  // The first was in front before the others came.
  assert.deepEqual(order.slice(0, 4), ['follow 0', 'container', 'another', 'follow 1']);
  assert.equal(order.at(-1), 'follow 9');
});

test('whoever waits in line is interrupted by a stop, and the requests on record still get their turns', async () => {
  const stopping = new AbortController();
  const pace = createPace({ storage: database.storage, clock: systemClock, intervalMs: 5, stopping: stopping.signal });
  const busy = newTenant({ eujpId: 'busy' });
  const first = pace.urgent.turn(busy, { mustComplete: true });
  const waiting = [pace.urgent.turn(busy), pace.background.turn(busy)];
  const onRecord = pace.urgent.turn(busy, { mustComplete: true });
  stopping.abort();
  for (const turn of waiting) await assert.rejects(turn, ServiceStopping);
  await Promise.all([first, onRecord]);
});

test('background work has a turn after eight urgent ones, however many of them keep coming', async () => {
  const pace = createPace({
    storage: database.storage,
    clock: systemClock,
    intervalMs: 1,
    stopping: new AbortController().signal,
  });
  const backlog = newTenant({ eujpId: 'backlog' });
  const order: string[] = [];
  const ask = async (urgency: 'urgent' | 'background') => {
    await pace[urgency].turn(backlog);
    order.push(urgency);
  };
  // As two deliveries in progress: whenever one has had its turn, the other one waits.
  const deliver = async () => {
    for (let turn = 0; turn < 20; turn += 1) await ask('urgent');
  };
  await Promise.all([deliver(), deliver(), ask('background'), ask('background')]);
  const turns = order.flatMap((urgency, index) => (urgency === 'background' ? [index] : []));
  assert.equal(turns.length, 2);
  assert.ok((turns[0] ?? 40) <= 9, `the first after ${turns[0]} turns`);
  assert.equal((turns[1] ?? 40) - (turns[0] ?? 0), 9, 'eight urgent ones in between');
});
