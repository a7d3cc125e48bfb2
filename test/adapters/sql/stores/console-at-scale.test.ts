import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { systemRandom } from '../../../../src/adapters/platform/platform.ts';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { createStorage } from '../../../../src/adapters/sql/storage.ts';
import { LOOKED_THROUGH } from '../../../../src/adapters/sql/stores/audit/audit-store.ts';
import { readAuditPage } from '../../../../src/application/audit/read-audit-page.ts';
import { readOverview } from '../../../../src/application/operations/read-overview.ts';
import { hourOf } from '../../../../src/domain/operations/document-activity.ts';
import { MORNING, newAuditEntry, newKey, newTenant } from '../../../engines/samples.ts';
import { docUidOf } from '../../../support/doc-uid.ts';
import { onEveryEngine } from '../../../support/engines.ts';
import { logStatements, type Statement } from './statement-log.ts';

const clock = { now: () => MORNING };
const { nextTurn } = systemTimers;
const DOC_UID = docUidOf('01a1e35e-c000-7aaa-8bbb-000000000009');
const [HOURS, LABELS, ENTRIES] = [720, 20, 4_000];

const ACTIVITY = `insert into document_activity (hour, measure, label, documents)
  with recursive hours (h) as (select 0 union all select h + 1 from hours where h < ${HOURS - 1}),
    labels (n) as (select 0 union all select n + 1 from labels where n < ${LABELS - 1})
  select cast($1 as bigint) - cast(h as bigint) * 3600000, case when n < 5 then 'status' when n < 10 then 'failure' else 'delivery-time' end,
    case when n < 5 then '40' || n else 'L' || n end, 1 from hours, labels`;
const AUDIT = `insert into audit (tenant, id, at, method, path, http_status, address, duration_ms, request_id, doc_uid)
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ENTRIES})
  select $1, 'id-' || (100000 + n), 0, 'GET', '/', 200, '', 1, '', case when n % 3 = 0 then 'other-' || n end from numbers`;

onEveryEngine('what the console shows of a million documents', (database) => {
  const tenant = newTenant();
  before(async () => {
    const { storage, engine } = database();
    await storage.transaction((tx) => tx.tenants.add(tenant, MORNING));
    await engine.transaction(async (sql) => {
      await sql.run(ACTIVITY, [hourOf(MORNING)]);
      await sql.run(AUDIT, [tenant.edb]);
      await sql.run('/*postgres analyze*/ /*sqlite select 1*/', []);
    });
  });

  async function planOf({ text, parameters }: Statement): Promise<string> {
    const { engine } = database();
    const explain = engine.serverTime === null ? 'explain query plan' : 'explain';
    const rows = await engine.all<Record<string, string>>(`${explain} ${text}`, parameters);
    return rows.map((row) => row['detail'] ?? row['QUERY PLAN'] ?? '').join('\n');
  }

  test('thirty days are added up by the database, and only the sums are read', async () => {
    const { engine, take } = logStatements(database().engine);
    const { steps, failures } = await readOverview({ storage: createStorage(engine, systemRandom), clock, nextTurn })(
      '30d',
    );
    assert.equal(steps.length, 30);
    assert.equal(failures[0]?.documents, HOURS);
    const statements = take().filter(({ text }) => text.includes('document_activity'));
    assert.ok(statements.length > 0);
    const rows = statements.reduce((total, statement) => total + statement.rows, 0);
    assert.ok(rows <= 31 * LABELS, `${rows} rows of ${HOURS * LABELS} were read`);
    if (database().engine.serverTime !== null) return;
    for (const statement of statements) assert.match(await planOf(statement), /USING COVERING INDEX/u, statement.text);
  });

  test('the overview is read in several turns, between which calls are answered', async () => {
    const { engine, take } = logStatements(database().engine);
    let most = 0;
    async function turn(): Promise<void> {
      most = Math.max(most, take().length);
      await nextTurn();
    }
    const storage = createStorage(engine, systemRandom);
    await readOverview({ storage, clock, nextTurn: turn })('24h');
    if (engine.serverTime === null) assert.ok(most <= 3, `${most} statements without a pause`);
  });

  test('the audit entries of one document are found by an index', async () => {
    const { engine, take } = logStatements(database().engine);
    const filter = { tenant: tenant.edb, keyId: null, docUid: DOC_UID, since: null, until: null, limit: 50 };
    await createStorage(engine, systemRandom).audit.read(filter);
    const [read] = take();
    assert.match(await planOf(read ?? assert.fail()), /audit_by_document/u);
  });

  test('the audit entries of a key are looked for among those of its own tenant alone', async () => {
    const { storage } = database();
    const [other, key] = [newTenant(), newKey(tenant.edb, { keyId: 'key-at-scale' })];
    await storage.transaction(async (tx) => {
      await tx.tenants.add(other, MORNING);
      await tx.keys.add(key, new Uint8Array(32).fill(7));
      await tx.audit.append([
        newAuditEntry({ tenant: other.edb }),
        newAuditEntry({ tenant: tenant.edb, keyId: key.keyId }),
      ]);
    });
    const { engine, take } = logStatements(database().engine);
    const { audit } = createStorage(engine, systemRandom);
    const filter = { tenant: null, docUid: null, since: null, until: null, limit: 50 };
    const searches = () =>
      take()
        .filter(({ text }) => text.includes('from audit'))
        .map(({ parameters }) => parameters[0]);
    assert.equal((await audit.read({ ...filter, keyId: key.keyId })).length, 1);
    assert.deepEqual(new Set(searches()), new Set([tenant.edb]));
    assert.deepEqual(await audit.read({ ...filter, keyId: 'key-that-nobody-has' }), []);
    assert.deepEqual(searches(), []);
  });

  test('the entries of a rarely used key are found among very many without holding up anything else', async () => {
    const [many, key] = [newTenant(), newKey(tenant.edb, { keyId: 'rarely-used' })];
    await database().storage.transaction(async (tx) => {
      await tx.tenants.add(many, MORNING);
      await tx.keys.add({ ...key, tenant: many.edb }, new Uint8Array(32).fill(8));
    });
    const count = 2 * LOOKED_THROUGH + 500;
    await database().engine.transaction(async (sql) => {
      await sql.run(AUDIT.replace(`${ENTRIES}`, `${count}`), [many.edb]);
      for (const place of [1, 400, count - 600]) {
        const id = `id-${100_000 + place}`;
        await sql.run('update audit set key_id = $3 where tenant = $1 and id = $2', [many.edb, id, key.keyId]);
      }
    });
    let turns = 0;
    const readPage = readAuditPage({
      audit: database().storage.audit,
      async nextTurn() {
        turns += 1;
      },
    });
    const filter = { tenant: many.edb, keyId: key.keyId, docUid: null, since: null, until: null, limit: 2 };
    const first = await readPage(filter, null);
    assert.deepEqual([first.entries.length, first.next], [2, 'id-100400']);
    assert.ok(turns >= 2, `${turns} turns of others`);
    const last = await readPage(filter, first.next);
    assert.deepEqual([last.entries.length, last.next], [1, null]);
    assert.deepEqual(await readPage({ ...filter, keyId: 'other' }, null), { entries: [], next: null });
  });

  test('a server is asked for the newest entries of many tenants at a time', async () => {
    const { storage } = database();
    await storage.transaction(async (tx) => {
      for (let index = 0; index < 70; index += 1) {
        await tx.audit.append([newAuditEntry({ tenant: newTenant().edb, at: MORNING + index })]);
      }
    });
    const { engine, take } = logStatements(database().engine);
    const filter = { tenant: null, keyId: null, docUid: null, since: MORNING, until: MORNING + 100, limit: 50 };
    const found = await createStorage(engine, systemRandom).audit.read(filter);
    const newest = Array.from({ length: 50 }, (_, index) => MORNING + 69 - index);
    assert.deepEqual(
      found.map(({ at }) => at),
      newest,
    );
    if (engine.serverTime !== null) assert.ok(take().length <= 3);
  });
});
