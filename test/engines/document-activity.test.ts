import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { countActivity } from '../../src/application/operations/count-activity.ts';
import { readOverview } from '../../src/application/operations/read-overview.ts';
import type { Storage } from '../../src/application/ports/storage/storage.ts';
import type { Edb } from '../../src/domain/accounts/edb.ts';
import type { OutboundEvent, OutboundStatus } from '../../src/domain/documents/outbound-status.ts';
import { onEveryEngine } from '../support/engines.ts';
import { clockAt } from '../support/test-clock.ts';
import { MORNING, newOutbound, newTenant, record } from './samples.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { nextTurn } = systemTimers;

onEveryEngine('what happened to documents', (database) => {
  const clock = clockAt(MORNING);

  async function addTenant(): Promise<Edb> {
    const tenant = newTenant();
    await database().storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
    return tenant.edb;
  }

  type Step = readonly [from: OutboundStatus, events: readonly OutboundEvent[], at: number, failureCode?: string];

  async function live(storage: Storage, tenant: Edb, at: number, ...steps: readonly Step[]): Promise<void> {
    const { docUid } = await storage.transaction((tx) => tx.outbound.add(tenant, newOutbound(), at));
    for (const [from, events, stepAt, failureCode = null] of steps) {
      const change = record(stepAt, { failureCode, failureMessage: failureCode });
      await storage.transaction((tx) => tx.outbound.move(tenant, docUid, from, events, change));
    }
  }

  test('is counted once, by hour and code, whoever counts and however often, and shown with now', async () => {
    const { storage } = database();
    const [one, other] = [await addTenant(), await addTenant()];
    const accept = (at: number): Step => [10, ['prepare', 'send', 'accept'], at];
    // Before all that is kept.
    await live(storage, one, MORNING - 60 * DAY_MS, accept(MORNING - 60 * DAY_MS + 1));
    await live(storage, other, MORNING - 5 * DAY_MS, [10, ['give-up'], MORNING - 5 * DAY_MS + 1, 'OURS-1']);
    await live(storage, one, MORNING - 2 * HOUR_MS, accept(MORNING - 2 * HOUR_MS + 10_000));
    await live(storage, one, MORNING - HOUR_MS, accept(MORNING - HOUR_MS + 60_000));
    await live(storage, other, MORNING - HOUR_MS, [10, ['prepare', 'send', 'reject'], MORNING - 10, 'UJP-E1001']);
    await live(storage, other, MORNING - 1_000);
    await live(storage, other, MORNING - 500, [10, ['prepare', 'send', 'try-again'], MORNING - 400, 'AUTHORITY-DOWN']);

    const again = await database().openAgain();
    const counting = [storage, again.storage, storage].map((each) => countActivity({ storage: each, clock })());
    await Promise.all(counting);
    assert.equal(await countActivity({ storage, clock })(), false);

    const day = await readOverview({ storage, clock, nextTurn })('24h');
    const sum = (overview: typeof day, status: OutboundStatus) =>
      overview.steps.reduce((total, { moves }) => total + (moves.get(status) ?? 0), 0);
    assert.deepEqual(
      ([10, 40, 50, 55] as const).map((status) => sum(day, status)),
      [5, 2, 1, 0],
    );
    assert.equal(day.steps.length, 24);
    assert.equal(day.steps.at(-2)?.moves.get(50), 1, 'in its hour');
    assert.deepEqual(day.failures, [{ code: 'UJP-E1001', documents: 1 }]);
    assert.deepEqual(day.retries, [{ code: 'AUTHORITY-DOWN', documents: 1 }]);
    const { p50, p95 } = day.deliveryMs;
    assert.ok(p50 !== null && p50 >= 10_000 && p50 < 12_600, `${p50}`);
    assert.ok(p95 !== null && p95 >= 60_000 && p95 < 75_100, `${p95}`);
    assert.deepEqual(
      [...day.counts].filter(([, documents]) => documents > 0).toSorted(([a], [b]) => a - b),
      [
        [10, 1],
        [20, 1],
        [40, 3],
        [50, 1],
        [55, 1],
      ],
    );
    assert.deepEqual([day.oldest?.status, day.oldest?.since], [10, MORNING - 1_000]);

    const week = await readOverview({ storage, clock, nextTurn })('7d');
    assert.deepEqual([sum(week, 55), sum(week, 40)], [1, 2]);
    assert.equal(sum(await readOverview({ storage, clock, nextTurn })('30d'), 40), 2);

    await live(storage, one, MORNING - 300, accept(MORNING - 200));
    await countActivity({ storage, clock })();
    assert.equal(sum(await readOverview({ storage, clock, nextTurn })('24h'), 40), 3);
  });

  test('is counted at once for all taxpayers, however many have something new', async () => {
    const { storage } = database();
    const received = async () => {
      const { steps } = await readOverview({ storage, clock, nextTurn })('24h');
      return steps.reduce((total, { moves }) => total + (moves.get(10) ?? 0), 0);
    };
    await countActivity({ storage, clock })();
    const before = await received();
    for (let index = 0; index < 120; index += 1) await live(storage, await addTenant(), MORNING - 100);
    assert.equal(await countActivity({ storage, clock })(), false, 'nothing is left');
    assert.equal((await received()) - before, 120);
  });
});
