import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { storedBytes } from '../../../../src/adapters/sql/stores/recovery/stored-bytes.ts';
import { newEdb } from '../../../engines/samples.ts';
import { onEveryEngine } from '../../../support/engines.ts';
import { logStatements, type Statement } from './statement-log.ts';

const FILES = 4_000;
const NUMBERS = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${FILES})`;
const CONTENT = `insert into content (tenant, sha256, bytes) ${NUMBERS}
  select case when n % 2 = 0 then $1 else $2 end, /*sqlite cast(cast(n as text) as blob)*/ /*postgres convert_to(cast(n as text), 'UTF8')*/, $3 from numbers`;
const PAYLOADS = `insert into outbound_payload (tenant, doc_uid, doc_type_code, doc_number, doc_date, doc_id, text, warnings) ${NUMBERS}
  select case when n % 2 = 0 then $1 else $2 end, 'id-' || n, '380', '1', '2026-01-01', '', '', '[]' from numbers`;

const DOCUMENTS = `insert into outbound (tenant, id, doc_uid, status, kind, ubl_sha256, created_at) ${NUMBERS}
  select $1, 'id-' || (10000 + n), 'id-' || (10000 + n), 40, 'Invoice', case when n < ${FILES} then $2 /*postgres ::bytea*/ else $3 /*postgres ::bytea*/ end, 0 from numbers`;

onEveryEngine('the check of many files', (database) => {
  const tenants = [newEdb(), newEdb()].toSorted();
  const [, last] = tenants;
  assert.ok(last !== undefined);

  before(async () => {
    await database().engine.transaction(async (sql) => {
      // Without the change feed, which is written for each document at the commit.
      await sql.run('/*postgres set local session_replication_role = replica*/ /*sqlite select 1*/', []);
      await sql.run(CONTENT, [...tenants, new Uint8Array([1])]);
      await sql.run(PAYLOADS, tenants);
      // The last one refers to a file that is not there.
      await sql.run(DOCUMENTS, [last, Buffer.from('9'), Buffer.from('none')]);
      await sql.run('/*postgres analyze*/ /*sqlite select 1*/', []);
    });
  });

  test('reads on where the last batch ended, in both directions', async () => {
    const { engine, take } = logStatements(database().engine);
    const bytes = storedBytes(engine);
    for (const place of ['after', 'before'] as const) {
      await bytes.files({ [place]: { tenant: last, key: '39' } } as never);
      await bytes.payloads({ [place]: { tenant: last, key: 'id-9' } } as never);
    }
    const statements = take();
    assert.equal(statements.length, 4);
    for (const statement of statements) await assertReadsOn(statement);
  });

  test('looks for documents without their file page by page', async () => {
    const { engine, take } = logStatements(database().engine);
    assert.deepEqual(await storedBytes(engine).withoutFile(10), [{ tenant: last, docUid: `id-${10_000 + FILES}` }]);
    const statements = take();
    assert.ok(statements.length > 4);
    for (const statement of statements.filter(({ rows }) => rows > 0)) await assertReadsOn(statement);
  });

  async function assertReadsOn({ text, parameters }: Statement): Promise<void> {
    const { engine } = database();
    const isSqlite = engine.serverTime === null;
    const explain = isSqlite ? 'explain query plan' : 'explain';
    const rows = await engine.all<Record<string, string>>(`${explain} ${text}`, parameters);
    const plan = rows.map((row) => row['detail'] ?? row['QUERY PLAN'] ?? '').join('\n');
    assert.match(plan, isSqlite ? /\(tenant,\w+\)[<>]\(\?,\?\)/u : /Index Cond: \(ROW\(/u, `${plan}\n${text}`);
    assert.doesNotMatch(plan, /Filter|TEMP B-TREE|Sort/u, `${plan}\n${text}`);
  }
});
