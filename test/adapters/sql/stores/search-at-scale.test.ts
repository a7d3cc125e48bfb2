import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { systemRandom } from '../../../../src/adapters/platform/platform.ts';
import { createStorage } from '../../../../src/adapters/sql/storage.ts';
import { searchDocuments } from '../../../../src/application/search/search-documents.ts';
import { LATEST_DOC_UID } from '../../../../src/domain/documents/doc-uid.ts';
import { MORNING, newTenant } from '../../../engines/samples.ts';
import { onEveryEngine } from '../../../support/engines.ts';
import { logStatements } from './statement-log.ts';

const clock = { now: () => MORNING };
const SHA256 = new Uint8Array(32);
const DOCUMENTS = 8_000;

/** As many as make a difference: two tenants, nearly all accepted. */
const FILL = `
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${DOCUMENTS})`;
const OUTBOUND = `insert into outbound (tenant, id, doc_uid, status, kind, document_number, partner_edb, failure_code, euid, ubl_sha256,
    created_at) ${FILL}
  select case when n % 2 = 0 then $1 else $2 end, 'id-' || (100000 + n), 'id-' || (100000 + n),
    case when n % 1000 = 0 then 55 else 40 end, 'Invoice', 'N-' || n, 'P-' || (n % 5000),
    case when n % 1000 = 0 then 'AUTHORITY-ERROR' end, 'E-' || n, $3, 0 from numbers`;
const INBOUND = `insert into inbound (tenant, id, doc_uid, same_as, document_number, sender_edb, original_sha256, received_at) ${FILL}
  select case when n % 2 = 0 then $1 else $2 end, 'id-' || (100000 + n), 'id-' || (100000 + n), 'euid:' || n, 'N-' || n,
    'P-' || (n % 5000), $3, 0 from numbers`;

onEveryEngine('the operator’s searches among many documents', (database) => {
  const tenants = [newTenant(), newTenant()];
  const [alfa, beta] = tenants.map(({ edb }) => edb);
  assert.ok(alfa !== undefined && beta !== undefined);

  before(async () => {
    const { storage, engine } = database();
    await storage.transaction(async (tx) => {
      for (const tenant of tenants) await tx.tenants.add(tenant, MORNING);
    });
    await engine.transaction(async (sql) => {
      // Without the change feed, which is written for each document at the commit.
      await sql.run('/*postgres set local session_replication_role = replica*/ /*sqlite select 1*/', []);
      await sql.run(OUTBOUND, [alfa, beta, new Uint8Array([1])]);
      await sql.run(INBOUND, [alfa, beta, new Uint8Array([1])]);
      await sql.run('/*postgres analyze*/ /*sqlite select 1*/', []);
    });
  });

  test('none of them reads a table from end to end, nor sorts it', async () => {
    const { engine, take } = logStatements(database().engine);
    const { outbound, inbound } = searchDocuments({ storage: createStorage(engine, systemRandom), clock });
    const every = [
      ...[{}, { olderThan: LATEST_DOC_UID }, { since: MORNING, until: MORNING }, { tenant: alfa }, { partner: 'P-7' }],
      ...(['docUid', 'documentNumber', 'euid'] as const).map((by) => ({ mark: { by, value: 'N-7' as never } })),
      { mark: { by: 'sha256' as const, value: SHA256 } },
    ];
    for (const search of [...every, { statuses: [10, 55] as const }, { failureCode: 'AUTHORITY-ERROR' }])
      await outbound(search, 50);
    for (const search of every) await inbound(search, 50);
    const statements = take();
    assert.ok(statements.length > every.length * 2);
    for (const { text, parameters } of statements) {
      const isSqlite = database().engine.serverTime === null;
      const rows = await database().engine.all<Record<string, string>>(
        `explain ${isSqlite ? 'query plan' : ''} ${text}`,
        parameters,
      );
      const plan = rows.map((row) => row['detail'] ?? row['QUERY PLAN'] ?? '').join('\n');
      assert.doesNotMatch(
        plan,
        /Seq Scan on (?:outbound|inbound)|SCAN (?:outbound|inbound)(?! USING INDEX)/u,
        `${plan}\n${text}`,
      );
      // PostgreSQL rightly sorts what is a handful.
      if (isSqlite && !text.includes('tenant cross join') && !text.includes('sha256 =') && !text.includes('substr'))
        assert.doesNotMatch(plan, /Sort|TEMP B-TREE/u, `${plan}\n${text}`);
    }
  });

  test('documents with a mark are found before they are put in order, whatever the server believes of their number', async () => {
    const { engine, take } = logStatements(database().engine);
    if (engine.serverTime === null) return;
    const { outbound, inbound } = searchDocuments({ storage: createStorage(engine, systemRandom), clock });
    for (const by of ['docUid', 'documentNumber', 'euid'] as const) {
      await outbound({ mark: { by, value: 'N-7' as never } }, 50);
      await inbound({ mark: { by, value: 'N-7' as never } }, 50);
    }
    await outbound({ mark: { by: 'sha256', value: SHA256 } }, 50);
    await inbound({ mark: { by: 'sha256', value: SHA256 } }, 50);
    for (const { text, parameters } of take()) {
      const rows = await engine.all<Record<string, string>>(`explain ${text}`, parameters);
      const plan = rows.map((row) => row['QUERY PLAN'] ?? '').join('\n');
      assert.match(plan, /CTE Scan on found/u, `${plan}\n${text}`);
      assert.doesNotMatch(plan, /Backward/u, `${plan}\n${text}`);
    }
  });

  test('what is rare is not looked for among all documents of a tenant', async () => {
    const { engine, take } = logStatements(database().engine);
    if (engine.serverTime !== null) return;
    const storage = createStorage(engine, systemRandom);
    const { outbound, inbound } = searchDocuments({ storage, clock });
    const rare = [
      { partner: 'P-7' },
      { partner: 'P-7', since: MORNING },
      { partner: 'P-7', olderThan: LATEST_DOC_UID },
    ];
    const times = [{}, { since: MORNING }, { olderThan: LATEST_DOC_UID }];
    const failures = times.map((time) => ({ failureCode: 'AUTHORITY-ERROR', ...time }));
    const statuses = times.map((time) => ({ statuses: [30, 40] as const, ...time }));
    for (const search of [...rare, ...failures, ...statuses]) await outbound({ tenant: alfa, ...search }, 50);
    for (const time of times) await inbound({ tenant: alfa, onlyNotImported: true, ...time }, 50);
    for (const search of rare) await inbound({ tenant: alfa, ...search }, 50);
    for (const since of [null, MORNING]) {
      const search = { tenant: alfa, failureCode: 'AUTHORITY-ERROR', since, until: MORNING };
      await storage.documentSearch.countFailed(search);
      await storage.documentSearch.failed(search, null, 50);
    }
    const statements = take();
    assert.ok(statements.length > 20);
    for (const { text, parameters } of statements) {
      const rows = await engine.all<{ readonly detail: string }>(`explain query plan ${text}`, parameters);
      const plan = rows.map(({ detail }) => detail).join('\n');
      assert.doesNotMatch(plan, /PRIMARY KEY \(tenant=\?(?: AND id[<>]\?)*\)/u, `${plan}\n${text}`);
      assert.doesNotMatch(plan, /TEMP B-TREE FOR ORDER BY/u, `${plan}\n${text}`);
    }
  });
});
