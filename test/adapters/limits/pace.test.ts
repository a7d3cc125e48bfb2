import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPace, MOST_WAIT_OF_DRY_RUNS_MS } from '../../../src/adapters/limits/pace.ts';
import { systemClock } from '../../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../../src/adapters/platform/timers.ts';
import { ServiceStopping } from '../../../src/application/errors/service-unavailable.ts';
import { type Leave, NoTurnInTime } from '../../../src/application/ports/pace.ts';
import type { Storage } from '../../../src/application/ports/storage/storage.ts';
import type { RequestKind } from '../../../src/domain/accounts/request-line.ts';
import { newTenant } from '../../engines/samples.ts';
import { createTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { until } from '../../support/process.ts';
import { clockAt } from '../../support/test-clock.ts';

const HOUR_MS = 3_600_000;
const tenant = newTenant({ eujpId: 'user' });

/** The request leaves as soon as it may. */
async function leaving(turn: Promise<Leave>): Promise<void> {
  (await turn)();
}

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('a stop interrupts whoever waits for a turn, and nobody gets another one', async () => {
  const stopping = new AbortController();
  const { storage } = database;
  const { send: pace } = createPace({
    timers: systemTimers,
    storage,
    clock: clockAt(),
    intervalMs: HOUR_MS,
    stopping: stopping.signal,
    cutOff: new AbortController().signal,
  });
  await leaving(pace.turn(tenant));
  const waiting = pace.turn(tenant);
  stopping.abort();
  await assert.rejects(waiting, ServiceStopping);
  await assert.rejects(pace.turn(newTenant({ eujpId: 'another' })), ServiceStopping);
  const { send: unlimited } = createPace({
    timers: systemTimers,
    storage,
    clock: clockAt(),
    intervalMs: 0,
    stopping: stopping.signal,
    cutOff: new AbortController().signal,
  });
  await assert.rejects(unlimited.turn(tenant), ServiceStopping);
});

test('a request that is on record gets its turn also while the service stops', async () => {
  const stopping = new AbortController();
  const { send: pace } = createPace({
    timers: systemTimers,
    storage: database.storage,
    clock: systemClock,
    intervalMs: 1,
    stopping: stopping.signal,
    cutOff: new AbortController().signal,
  });
  stopping.abort();
  const sender = newTenant({ eujpId: 'sender' });
  for (let turn = 0; turn < 3; turn += 1) await leaving(pace.turn(sender, { mustComplete: true }));
});

test('a request that is on record waits for its turn until the stop is cut off', async () => {
  const cutOff = new AbortController();
  const { send: pace } = createPace({
    timers: systemTimers,
    storage: database.storage,
    clock: clockAt(),
    intervalMs: HOUR_MS,
    stopping: AbortSignal.abort(),
    cutOff: cutOff.signal,
  });
  const sender = newTenant({ eujpId: 'cut off' });
  await leaving(pace.turn(sender, { mustComplete: true }));
  const waiting = pace.turn(sender, { mustComplete: true });
  cutOff.abort();
  await assert.rejects(waiting, ServiceStopping);
});

test('a request overtakes whatever is less urgent of its user, whichever tenants it is for', async () => {
  const pace = createPace({
    timers: systemTimers,
    storage: database.storage,
    clock: systemClock,
    intervalMs: 5,
    stopping: new AbortController().signal,
    cutOff: new AbortController().signal,
  });
  const order: string[] = [];
  const ask = async (kind: RequestKind, name: string = kind) => {
    await leaving(pace[kind].turn(newTenant({ eujpId: 'accountant' })));
    order.push(name);
  };
  const waiting = [
    ...Array.from({ length: 3 }, (_, index) => ask('follow', `follow ${index}`)),
    ...(['lists', 'collect', 'container', 'send'] as const).map((kind) => ask(kind)),
  ];
  await Promise.all(waiting);
  // The first follow-up was in front before the others came.
  assert.deepEqual(order, ['follow 0', 'send', 'container', 'collect', 'follow 1', 'follow 2', 'lists']);
});

test('whoever waits in line is interrupted by a stop, and the requests on record still get their turns', async () => {
  const stopping = new AbortController();
  const pace = createPace({
    timers: systemTimers,
    storage: database.storage,
    clock: systemClock,
    intervalMs: 5,
    stopping: stopping.signal,
    cutOff: new AbortController().signal,
  });
  const busy = newTenant({ eujpId: 'busy' });
  const first = leaving(pace.send.turn(busy, { mustComplete: true }));
  const waiting = [pace.send.turn(busy), pace.lists.turn(busy)];
  const onRecord = leaving(pace.send.turn(busy, { mustComplete: true }));
  stopping.abort();
  for (const turn of waiting) await assert.rejects(turn, ServiceStopping);
  await Promise.all([first, onRecord]);
});

test('a failing database refuses those who wait, and those who come later are served again', async () => {
  const broken = new Error('database is locked');
  let isBroken = true;
  const storage: Pick<Storage, 'transaction'> = {
    transaction: (work) => (isBroken ? Promise.reject(broken) : database.storage.transaction(work)),
  };
  const pace = createPace({
    timers: systemTimers,
    storage,
    clock: systemClock,
    intervalMs: 1,
    stopping: new AbortController().signal,
    cutOff: new AbortController().signal,
  });
  const unlucky = newTenant({ eujpId: 'unlucky' });
  const turns = [pace.send.turn(unlucky), pace.lists.turn(unlucky)];
  for (const turn of turns) await assert.rejects(turn, broken);
  isBroken = false;
  await leaving(pace.send.turn(unlucky));
});

test('the turn after a request that left late is late as well, also when the next one comes from another process', async () => {
  const clock = clockAt();
  const late = newTenant({ eujpId: 'late' });
  const { send } = createPace({
    timers: systemTimers,
    storage: database.storage,
    clock,
    intervalMs: 1_000,
    stopping: new AbortController().signal,
    cutOff: new AbortController().signal,
  });
  const freeAt = async () =>
    (await database.engine.get<{ free_at: number }>("select free_at from pace where eujp_id = 'late'", []))?.free_at;
  const leave = await send.turn(late);
  assert.equal(await freeAt(), clock.now() + 1_000);
  clock.advance(300);
  leave();
  await until('the next turn', async () => (await freeAt()) === clock.now() + 1_000);
});

test('a dry run that has had no turn in time is told so and leaves the line to others', async () => {
  const bells: (() => void)[] = [];
  const pace = createPace({
    timers: {
      ...systemTimers,
      after: (ms, run, options) => {
        if (ms !== MOST_WAIT_OF_DRY_RUNS_MS) return systemTimers.after(ms, run, options);
        bells.push(run);
        return { cancel: () => undefined };
      },
    },
    storage: database.storage,
    clock: clockAt(),
    intervalMs: HOUR_MS,
    stopping: new AbortController().signal,
    cutOff: new AbortController().signal,
  });
  const user = newTenant({ eujpId: 'rehearsing' });
  await leaving(pace['dry-run'].turn(user));
  const waiting = pace['dry-run'].turn(user);
  bells.at(-1)?.();
  await assert.rejects(waiting, NoTurnInTime);
});
