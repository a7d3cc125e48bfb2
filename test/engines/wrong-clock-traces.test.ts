import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace } from '../../src/adapters/limits/pace.ts';
import { systemHasher } from '../../src/adapters/platform/platform.ts';

import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { recallPostponed } from '../../src/application/clocks/recall-postponed.ts';

import { submitOutbound } from '../../src/application/intake/submit-outbound.ts';
import type { DocumentReader } from '../../src/application/ports/document-reader.ts';
import { type DocUid, docUidTime } from '../../src/domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import { callerOf } from '../application/accounts/callers.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { addOutboundIn, fileOf, MORNING, newEdb, newOutbound, newTenant } from './samples.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LEASE_MS = 60 * SECOND;
const HOLD_MS = 20 * SECOND;

onEveryEngine('after an hour in which the clock was an hour ahead', (database) => {
  test('a document is due when its hold-back is over by the clock that is right, though identifiers go on from the wrong hour', async () => {
    const { storage } = database();
    const tenant = newEdb();
    const held = newOutbound({ holdMs: HOLD_MS });
    await storage.transaction((tx) => tx.outbound.add(tenant, held, MORNING + HOUR));
    const { docUid } = await storage.transaction((tx) => tx.outbound.add(tenant, held, MORNING));
    assert.ok(docUidTime(docUid) >= MORNING + HOUR);
    assert.equal(await storage.deliveries.dueAt(tenant, docUid), MORNING + HOLD_MS);
  });

  test('an idempotency key is free an hour after its use, by the clock that is right', async () => {
    const { storage } = database();
    const caller = callerOf();
    await storage.transaction((tx) => tx.outbound.add(caller.tenant.edb, newOutbound(), MORNING + HOUR));
    const clock = clockAt(MORNING);
    const { facts } = newOutbound();
    const reader = { read: async (_: unknown, bytes: Uint8Array) => ({ facts, file: fileOf(bytes), pdf: null }) };
    const { submit } = submitOutbound({
      ...{ storage, clock, hasher: systemHasher, holdMs: HOLD_MS },
      reader: reader as unknown as DocumentReader,
    });
    const again = async () => (await submit(caller, 'key', new TextEncoder().encode('<Invoice/>'))).alreadyExisted;
    assert.deepEqual([await again(), await again()], [false, true]);
    clock.advance(HOUR);
    assert.equal(await again(), false);
  });

  test('the line of a user of the authority moves on at once, whatever the wrong clock has left in it', async () => {
    const { storage } = database();
    const eujpId = newEdb();
    const ask = (now: number, requests: Parameters<typeof storage.pace.ask>[2]) =>
      storage.transaction((tx) => tx.pace.ask('test', eujpId, requests, now, SECOND));
    await ask(MORNING + HOUR, { send: 2 });
    await ask(MORNING + HOUR, { send: 2 });
    const { turn } = await ask(MORNING, { lists: 1 });
    assert.deepEqual(turn, { kind: 'lists', at: MORNING });
    assert.equal((await ask(MORNING + 1, { lists: 1 })).turn, null, 'and has its pace from then on');
    await storage.transaction((tx) => tx.pace.postpone('test', eujpId, MORNING + 24 * HOUR));
    const pace = createPace({
      ...{ storage, clock: clockAt(MORNING + MINUTE), timers: systemTimers, intervalMs: 20 },
      stopping: new AbortController().signal,
      cutOff: new AbortController().signal,
    });
    (await pace.send.turn(newTenant({ eujpId })))();
  });

  test('a tenant is not stopped for longer than any stop lasts, and can be stopped anew', async () => {
    const { storage } = database();
    const settings = newTenant();
    const stop = (now: number) => storage.transaction((tx) => tx.tenants.stop(settings.edb, 'why', now));
    await storage.transaction((tx) => tx.tenants.add(settings, MORNING));
    await stop(MORNING + 2 * HOUR);
    assert.equal(await stop(MORNING), MORNING + 2 * MINUTE);
  });

  type Postponed = {
    readonly what: string;
    readonly status: OutboundStatus;
    readonly isLeased?: true;
    /** By how much it is postponed, and to when it is brought forward; null where it stays. */
    readonly byMs: number;
    readonly recalledToMs: number | null;
  };
  const POSTPONED: readonly Postponed[] = [
    { what: 'a lease', status: 20, isLeased: true, byMs: HOUR + LEASE_MS, recalledToMs: 0 },
    { what: 'a lease that has just begun', status: 20, isLeased: true, byMs: LEASE_MS, recalledToMs: null },
    { what: 'a lease of a container', status: 40, isLeased: true, byMs: HOUR + LEASE_MS, recalledToMs: 0 },
    { what: 'a look-up', status: 30, byMs: HOUR + 2 * SECOND, recalledToMs: 0 },
    { what: 'a look-up after ten minutes', status: 30, byMs: 10 * MINUTE, recalledToMs: null },
    { what: 'a retry after a day', status: 20, byMs: 28 * HOUR, recalledToMs: null },
    { what: 'a retry after a month', status: 20, byMs: 30 * 24 * HOUR, recalledToMs: 0 },
    { what: 'a container after a month', status: 40, byMs: 30 * 24 * HOUR, recalledToMs: 0 },
  ];
  for (const { what, status, isLeased, byMs, recalledToMs } of POSTPONED) {
    test(`${what} ${recalledToMs === null ? 'stays where it is' : 'is over'}`, async () => {
      const { storage } = database();
      const tenant = await addTenant();
      const dueAt = MORNING + (isLeased ? 0 : byMs);
      const { docUid } = await storage.transaction((tx) =>
        addOutboundIn(tx, tenant, status, newOutbound({ holdMs: 0 }), MORNING, { dueAt }),
      );
      const lease = { token: 'worker', until: MORNING + byMs };
      const stage = status === 40 ? 'container' : 'delivery';
      if (isLeased) await storage.transaction((tx) => tx.deliveries.claim(tenant, stage, lease, MORNING, 1));
      assert.equal(await dueAfterRecall(tenant, docUid), MORNING + (recalledToMs ?? byMs));
    });
  }

  test('a document that was submitted then keeps its hold-back, and no more', async () => {
    const { storage } = database();
    const tenant = await addTenant();
    const add = (holdMs: number, now: number) =>
      storage.transaction((tx) => tx.outbound.add(tenant, newOutbound({ holdMs }), now));
    const untouched = await add(24 * HOUR, MORNING - 1);
    const wrong = await add(HOLD_MS, MORNING + HOUR);
    assert.equal(await dueAfterRecall(tenant, wrong.docUid), MORNING + HOLD_MS);
    assert.equal(await dueAfterRecall(tenant, wrong.docUid), MORNING + HOLD_MS);
    assert.equal(await dueAfterRecall(tenant, untouched.docUid), MORNING + 24 * HOUR - 1);
  });

  test('voids and recurring tasks are due again', async () => {
    const { storage, engine } = database();
    const tenant = newEdb();
    const { docUid } = await storage.transaction(async (tx) => {
      const added = await addOutboundIn(tx, tenant, 40, newOutbound(), MORNING);
      await tx.voids.request(tenant, added.docUid, { code: 'S-1', name: 'why', comment: null }, MORNING);
      await tx.voids.claim(tenant, { token: 'wrong', until: MORNING + 2 * HOUR }, MORNING, 1);
      await tx.recurringTasks.schedule(tenant, ['collect', 'follow'], MORNING + 2 * HOUR);
      await tx.recurringTasks.schedule(tenant, ['lists'], MORNING + 10 * MINUTE);
      return added;
    });
    await recall();
    assert.equal((await storage.voids.find(tenant, docUid))?.dueAt, MORNING);
    const rows = await engine.all('select name, due_at from recurring_task where tenant = $1 order by name', [tenant]);
    assert.deepEqual(
      rows.map((row) => Object.values(row as object)),
      [
        ['collect', MORNING],
        ['follow', MORNING],
        ['lists', MORNING + 10 * MINUTE],
      ],
    );
  });

  async function addTenant() {
    const settings = newTenant();
    await database().storage.transaction((tx) => tx.tenants.add(settings, MORNING));
    return settings.edb;
  }

  const recall = () =>
    recallPostponed({
      storage: database().storage,
      clock: clockAt(MORNING),
      leaseMs: { document: LEASE_MS, void: 5 * MINUTE, task: 2 * MINUTE },
      toleranceMs: MINUTE,
      longestPauseMs: () => HOUR,
    })();

  async function dueAfterRecall(tenant: Parameters<typeof dueAt>[0], docUid: DocUid): Promise<number | null> {
    await recall();
    return dueAt(tenant, docUid);
  }

  const dueAt = (tenant: ReturnType<typeof newEdb>, docUid: DocUid) =>
    database().storage.deliveries.dueAt(tenant, docUid);
});
