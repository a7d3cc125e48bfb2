import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { deliveryHoldStore } from '../../src/adapters/sql/stores/recovery/delivery-hold-store.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { postgresServer } from '../support/postgres.ts';
import { knowSizes, readingAtMost } from './rows-read.ts';
import { addOutboundIn, MORNING, newOutbound, newTenant } from './samples.ts';

const ROWS = 6_000;
const MOST_READ = 3_000;
const MINUTE = 60_000;

/** Of one document, that of others would be as many. */
const HISTORY = `insert into outbound_history (tenant, doc_uid, ordinal, status, at)
  select $1, $2, number + 100, 20, cast($3 as bigint) - number from generate_series(1, ${ROWS}) as number`;
const ENTRIES = `insert into document_change (tenant, number, at, kind, direction, doc_uid)
  select $1, number + 100, cast($2 as bigint) + number, 'arrived', 'inbound', 'any' from generate_series(1, ${ROWS}) as number`;

suite('among histories of years', () => {
  let engine: Engine;

  before(async () => {
    engine = openPostgres(await (await postgresServer()).createMigratedDatabase(), systemPlatform, {
      connectMs: 60_000,
      statementMs: 600_000,
    });
  });
  after(() => engine.close());

  test('the last move before a restore is found, and no statement looks through all', async () => {
    const storage = createStorage(engine, systemRandom);
    for (const at of [MORNING, MORNING + MINUTE, MORNING - MINUTE]) {
      const tenant = newTenant();
      const docUid = await storage.transaction(async (tx) => {
        await tx.tenants.add(tenant, MORNING);
        const added = await addOutboundIn(tx, tenant.edb, 30, newOutbound(), at);
        // It came after the restore.
        await tx.outbound.add(tenant.edb, newOutbound(), MORNING + 10 * MINUTE);
        return added.docUid;
      });
      await engine.transaction(async (sql) => {
        await sql.run('set local session_replication_role = replica', []);
        await sql.run(HISTORY, [tenant.edb, docUid, at]);
        await sql.run(ENTRIES, [tenant.edb, MORNING + 5 * MINUTE]);
      });
    }
    await knowSizes(engine);
    const lastBefore = (time: number) =>
      readingAtMost(engine, MOST_READ, (sql) => deliveryHoldStore(sql).lastMoveBefore(time));
    assert.equal(await lastBefore(MORNING + 5 * MINUTE), MORNING + MINUTE);
    assert.equal(await lastBefore(MORNING + MINUTE), MORNING);
    assert.equal(await lastBefore(0), null);
  });
});
