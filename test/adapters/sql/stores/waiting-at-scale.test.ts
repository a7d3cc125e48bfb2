import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { systemRandom } from '../../../../src/adapters/platform/platform.ts';
import { createStorage } from '../../../../src/adapters/sql/storage.ts';
import type { Storage } from '../../../../src/application/ports/storage/storage.ts';
import { MORNING, newTenant } from '../../../engines/samples.ts';
import { onEveryEngine } from '../../../support/engines.ts';
import { logStatements } from './statement-log.ts';

const DOCUMENTS = 20_000;
/** A fifth of them in each status that waits, a fifth with a container that is due, and a fifth that has ended. Those in 20 keep failing. */
const WAITING = `insert into outbound (tenant, id, doc_uid, status, kind, created_at, due_at, failures, failure_code)
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${DOCUMENTS})
  select $1, 'id-' || (100000 + n), 'id-' || (100000 + n),
    case n % 5 when 0 then 10 when 1 then 20 when 2 then 30 when 3 then 40 else 55 end, 'Invoice', 0,
    case when n % 5 < 4 then cast($2 as bigint) + n end, case when n % 5 = 1 then 4 else 0 end,
    case when n % 5 = 1 then 'AUTHORITY-DOWN' end
  from numbers`;

onEveryEngine('what waits among many documents', (database) => {
  const tenant = newTenant();
  before(async () => {
    const { storage, engine } = database();
    await storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
    await engine.transaction(async (sql) => {
      // Without the change feed, which is written for each document at the commit.
      await sql.run('/*postgres set local session_replication_role = replica*/ /*sqlite select 1*/', []);
      await sql.run(WAITING, [tenant.edb, MORNING]);
      await sql.run('/*postgres analyze*/ /*sqlite select 1*/', []);
    });
  });

  async function planOf(work: (storage: Storage) => Promise<unknown>): Promise<string> {
    const log = logStatements(database().engine);
    await work(createStorage(log.engine, systemRandom));
    const [statement] = log.take();
    const { text, parameters } = statement ?? assert.fail();
    const explain = database().engine.serverTime === null ? 'explain query plan' : 'explain';
    const rows = await database().engine.all<Record<string, string>>(`${explain} ${text}`, parameters);
    return rows.map((row) => row['detail'] ?? row['QUERY PLAN'] ?? '').join('\n');
  }

  test('the longest due of each status is found by its place in an index', async () => {
    const plan = await planOf(async ({ workload }) => {
      const oldest = await workload.oldestDueAt(MORNING + DOCUMENTS);
      assert.deepEqual(
        [...oldest].toSorted(),
        [10, 20, 30, 40].map((status, index) => [status, MORNING + (index === 0 ? 5 : index)]),
      );
    });
    assert.equal(plan.match(/\boutbound_by_due\b/gu)?.length, 4, plan);
    assert.doesNotMatch(plan, /SCAN outbound|Seq Scan on outbound|SEARCH outbound USING INDEX/u, plan);
  });

  test('whether anything is due is one look at the index for each status', async () => {
    for (const stage of ['delivery', 'container'] as const) {
      const isAnyDue = (now: number) => database().storage.deliveries.isAnyDue(stage, now);
      assert.deepEqual([await isAnyDue(MORNING), await isAnyDue(MORNING + 5)], [false, true]);
      const plan = await planOf(({ deliveries }) => deliveries.isAnyDue(stage, MORNING));
      assert.match(plan, /\boutbound_by_due\b/u);
      assert.doesNotMatch(plan, /SCAN outbound|Seq Scan|Filter/u, plan);
    }
  });

  test('what keeps failing is counted from its index alone, and one document of each taxpayer is read', async () => {
    const log = logStatements(database().engine);
    const failing = await createStorage(log.engine, systemRandom).deliveries.failing(3);
    assert.deepEqual(failing.get(tenant.edb), {
      documents: DOCUMENTS / 5,
      failureCode: 'AUTHORITY-DOWN',
      failureMessage: null,
    });
    assert.equal(log.take()[0]?.rows, 1);
    const plan = await planOf(({ deliveries }) => deliveries.failing(3));
    if (database().engine.serverTime !== null) return;
    assert.match(plan, /COVERING INDEX outbound_by_failures/u);
  });
});
