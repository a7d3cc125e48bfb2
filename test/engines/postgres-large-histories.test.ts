import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { systemRandom } from '../../src/adapters/platform/platform.ts';
import type { Engine, Sql } from '../../src/adapters/sql/engine.ts';
import { openPostgres } from '../../src/adapters/sql/postgres/open-postgres.ts';
import { createStorage } from '../../src/adapters/sql/storage.ts';
import { auditStore } from '../../src/adapters/sql/stores/audit/audit-store.ts';
import { deliveryHoldStore } from '../../src/adapters/sql/stores/recovery/delivery-hold-store.ts';
import { countFailed, listFailed } from '../../src/adapters/sql/stores/search/failed-search.ts';
import { systemPlatform } from '../../src/app/system-platform.ts';
import { postgresServer } from '../support/postgres.ts';
import { knowSizes, readingAtMost } from './rows-read.ts';
import { addOutboundIn, MORNING, newAuditEntry, newOutbound, newTenant } from './samples.ts';

const ROWS = 6_000;
const MOST_READ = 3_000;
/** Each with its history. */
const MOST_FAILED_READ = 10_000;
const CALLS_OF_YEARS = 15_000;
const MOST_CALLS_READ = 11_000;
const MINUTE = 60_000;

/** Of one document, that of others would be as many. */
const HISTORY = `insert into outbound_history (tenant, doc_uid, ordinal, status, at)
  select $1, $2, number + 100, 20, cast($3 as bigint) - number from generate_series(1, ${ROWS}) as number`;
const ENTRIES = `insert into document_change (tenant, number, at, kind, direction, doc_uid)
  select $1, number + 100, cast($2 as bigint) + number, 'arrived', 'inbound', 'any' from generate_series(1, ${ROWS}) as number`;

/** Copies of a document that come before it, and have failed before it. */
const FAILED = `insert into outbound
  select (jsonb_populate_record(outbound, jsonb_build_object('id', copy, 'doc_uid', copy))).*
  from outbound cross join (
    select '01800000-0000-7000-8000-' || lpad(to_hex(number), 12, '0') as copy from generate_series(1, ${ROWS}) as number
  ) as copies where tenant = $1`;
const THEIR_HISTORIES = `insert into outbound_history (tenant, doc_uid, ordinal, status, at)
  select $1, id, ordinal, history.status, at - 1
  from outbound cross join outbound_history history
  where outbound.tenant = $1 and id <> $2 and history.tenant = $1 and history.doc_uid = $2`;

const CALLS = `insert into audit
  select (jsonb_populate_record(audit, jsonb_build_object('id', copy))).*
  from audit cross join (
    select '02000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0') as copy from generate_series(1, ${CALLS_OF_YEARS}) as number
  ) as copies where tenant = $1 and at = $2`;

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

  test('those that failed for one reason are counted and found, and no statement looks through all', async () => {
    const storage = createStorage(engine, systemRandom);
    const tenant = newTenant();
    const because = { failureCode: 'OUTAGE', failureMessage: 'No answer.' };
    const docUid = await storage.transaction(async (tx) => {
      await tx.tenants.add(tenant, MORNING);
      return (await addOutboundIn(tx, tenant.edb, 55, newOutbound(), MORNING, because)).docUid;
    });
    await engine.transaction(async (sql) => {
      await sql.run('set local session_replication_role = replica', []);
      await sql.run(FAILED, [tenant.edb]);
      await sql.run(THEIR_HISTORIES, [tenant.edb, docUid]);
    });
    await knowSizes(engine);
    const search = { tenant: null, failureCode: because.failureCode, since: null, until: MORNING };
    const bounded = <Result>(work: (sql: Sql) => Promise<Result>) => readingAtMost(engine, MOST_FAILED_READ, work);
    assert.equal(await bounded((sql) => countFailed(sql, search)), ROWS + 1);
    assert.equal((await bounded((sql) => listFailed(sql, search, null, 16))).length, 16);
    const late = { ...search, since: MORNING };
    assert.equal(await countFailed(engine, late), 1);
    assert.deepEqual(await listFailed(engine, late, null, 16), [{ tenant: tenant.edb, docUid }]);
    assert.deepEqual(await listFailed(engine, { ...late, since: MORNING + 1 }, null, 16), []);
  });

  test('the last change of the environment of a taxpayer is found in its trail, and no statement looks through all', async () => {
    const { edb } = newTenant();
    const command = {
      tenant: edb,
      operator: 'vera',
      at: MORNING - MINUTE,
      path: `tenant set ${edb} environment production`,
    };
    await engine.transaction(async (sql) => {
      await auditStore(sql).append([newAuditEntry(command), newAuditEntry({ tenant: edb })]);
      await sql.run(CALLS, [edb, MORNING]);
    });
    await knowSizes(engine);
    const changedAt = (since: number) =>
      readingAtMost(engine, MOST_CALLS_READ, (sql) => auditStore(sql).environmentChangedAt(edb, since));
    assert.equal(await changedAt(MORNING - MINUTE), MORNING - MINUTE);
    assert.equal(await changedAt(MORNING), null);
  });

  test('calls with a key are found in the trail of its taxpayer, and no statement looks through all', async () => {
    const { edb } = newTenant();
    const call = newAuditEntry({ tenant: edb, keyId: 'key-of-few', at: MORNING - MINUTE });
    await engine.transaction(async (sql) => {
      await auditStore(sql).append([call, newAuditEntry({ tenant: edb, keyId: 'key-of-many' })]);
      await sql.run(CALLS, [edb, MORNING]);
    });
    await knowSizes(engine);
    const ofKey = { tenant: edb, keyId: 'key-of-few', docUid: null, since: null, until: null, limit: 101 };
    const found = await readingAtMost(engine, MOST_CALLS_READ, (sql) => auditStore(sql).read(ofKey));
    assert.deepEqual(
      found.map(({ requestId }) => requestId),
      [call.requestId],
    );
    const ofMany = { ...ofKey, keyId: 'key-of-many', limit: 12_000 };
    assert.equal(
      (await readingAtMost(engine, 3 * MOST_CALLS_READ, (sql) => auditStore(sql).read(ofMany))).length,
      12_000,
    );
  });
});
