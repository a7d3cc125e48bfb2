import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryEngine } from '../support/engines.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from './samples.ts';

const MINUTE = 60_000;
const STATUSES = [10, 10, 20, 40, 55] as const;

onEveryEngine('how much there is to do', (database) => {
  test('documents are counted by status, and the longest due of each status is found, without stopped tenants', async () => {
    const { storage, engine } = database();
    const [alfa, beta] = [newTenant(), newTenant()];
    await storage.transaction(async (tx) => {
      for (const tenant of [alfa, beta]) {
        await tx.tenants.add(tenant, MORNING);
        for (const [minute, status] of STATUSES.entries()) {
          const document = newOutbound({ holdMs: 0 });
          const at = MORNING + minute * MINUTE;
          await addOutboundIn(tx, tenant.edb, status, document, at, status === 55 ? {} : { dueAt: at });
        }
      }
    });
    assert.deepEqual([...(await storage.workload.outboundByStatus())].toSorted(), [
      [10, 4],
      [20, 2],
      [30, 0],
      [40, 2],
      [55, 2],
    ]);
    const due = async (now: number) => [...(await storage.workload.oldestDueAt(now))].toSorted();
    assert.deepEqual(await due(MORNING - 1), []);
    assert.deepEqual(await due(MORNING + 2 * MINUTE), [
      [10, MORNING],
      [20, MORNING + 2 * MINUTE],
    ]);
    assert.deepEqual((await due(MORNING + 9 * MINUTE)).at(-1), [40, MORNING + 3 * MINUTE]);
    await engine.transaction(async (sql) => {
      await sql.run('update tenant set stopped_until = $1', [MORNING + 20 * MINUTE]);
    });
    assert.deepEqual(await due(MORNING + 9 * MINUTE), [], 'they wait for something else');
    assert.equal((await due(MORNING + 20 * MINUTE)).length, 3, 'the stop is over');
  });

  test('what was sent first and has no outcome is known by when it was sent, of documents and of voids', async () => {
    const { storage } = database();
    assert.deepEqual(await storage.workload.unknownSince(), { document: null, void: null });
    const { edb } = newTenant();
    const sent = { docTypeCode: '100', docNumber: 'V', docDate: '2026-11-16', docId: 'V', text: '{}' };
    await storage.transaction(async (tx) => {
      await tx.tenants.add(newTenant({ edb }), MORNING);
      // Looked up later, and sent again later, than one that came after it.
      for (const [minute, dueAt] of [
        [2, 9],
        [5, 6],
      ] as const)
        await addOutboundIn(tx, edb, 30, newOutbound(), MORNING + minute * MINUTE, { dueAt: MORNING + dueAt * MINUTE });
      const { docUid } = await addOutboundIn(tx, edb, 40, newOutbound(), MORNING);
      await tx.voids.request(edb, docUid, { code: 'S-1', name: 'Reason', comment: null }, MORNING);
      const lease = { token: 'one', until: MORNING + MINUTE };
      await tx.voids.claim(edb, lease, MORNING, 1);
      await tx.voids.beginSend(edb, docUid, lease, { ...sent, requestTimestamp: '2026-11-16T09:00:00' }, MORNING + 3);
    });
    assert.deepEqual(await storage.workload.unknownSince(), { document: MORNING + 2 * MINUTE, void: MORNING + 3 });
  });

  test('recurring tasks are counted by name, with those that fail and the longest due', async () => {
    const { storage, engine } = database();
    const [alfa, beta] = [newTenant(), newTenant()];
    await storage.transaction(async (tx) => {
      await tx.recurringTasks.schedule(alfa.edb, ['collect', 'follow'], MORNING);
      await tx.recurringTasks.schedule(beta.edb, ['collect'], MORNING + MINUTE);
    });
    await engine.transaction((sql) => sql.run('update recurring_task set failures = 3 where tenant = $1', [beta.edb]));
    const tasks = async (now: number) =>
      [...(await storage.workload.recurringTasks(now))].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    assert.deepEqual(await tasks(MORNING + MINUTE), [
      { name: 'collect', scheduled: 2, failing: 1, oldestDueAt: MORNING },
      { name: 'follow', scheduled: 1, failing: 0, oldestDueAt: MORNING },
    ]);
    assert.deepEqual(
      (await tasks(MORNING - 1)).map(({ oldestDueAt }) => oldestDueAt),
      [null, null],
    );
  });
});
