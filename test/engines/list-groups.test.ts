import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Sql } from '../../src/adapters/sql/engine.ts';
import { BLOCK_SIZE, GROUP_SIZE } from '../../src/adapters/sql/list-index/list-index.ts';
import { type ListQuery, readListPage } from '../../src/adapters/sql/list-index/list-page.ts';
import { firstDocUidAt } from '../../src/domain/documents/doc-uid.ts';
import { onEveryEngine } from '../support/engines.ts';
import { fc } from '../support/seeds.ts';
import { assertGroupsAreTrue } from './recount.ts';
import { MORNING, newEdb } from './samples.ts';

/** Two whole groups of blocks, and a part of a third one. */
const DOCUMENTS = (2 * GROUP_SIZE + 5) * BLOCK_SIZE + 77;
const STATES = [10, 40, 50];
const RARE = 60;
/** Every document is a millisecond later than the one before. */
const TIME = "/*postgres lpad(to_hex(at), 12, '0')*/ /*sqlite printf('%012x', at)*/";

const ENTRIES = `insert into listing (tenant, list, scope, doc_uid, seq, state)
  with recursive number (n) as (select cast(0 as bigint) union all select n + 1 from number where n + 1 < ${DOCUMENTS}),
  timed as (select n, cast($2 as bigint) + n as at from number)
  select $1, 'outbound', '', substr(${TIME}, 1, 8) || '-' || substr(${TIME}, 9, 4) || '-7000-8000-000000000000', n,
    case when n % 50021 = 7 then ${RARE} when n % 7 < 5 then 40 when n % 7 = 5 then 10 else 50 end
  from timed`;
const BLOCKS = `insert into listing_block (tenant, list, scope, block, first_doc_uid)
  select tenant, list, scope, seq / ${BLOCK_SIZE}, doc_uid from listing where tenant = $1 and seq % ${BLOCK_SIZE} = 0`;
const COUNTS = `insert into listing_count (tenant, list, scope, block, state, documents)
  select tenant, list, scope, seq / ${BLOCK_SIZE}, state, count(*) from listing where tenant = $1
  group by tenant, list, scope, seq / ${BLOCK_SIZE}, state`;

onEveryEngine('a list of more than a hundred thousand documents', (database) => {
  const tenant = newEdb();

  before(async () => {
    const { engine } = database();
    await engine.transaction(async (sql) => {
      await sql.run(ENTRIES, [tenant, MORNING]);
      await sql.run(BLOCKS, [tenant]);
      await sql.run(COUNTS, [tenant]);
    });
  });

  /** Without blocks and counters. */
  async function naivePage(sql: Sql, { states, from, to }: ListQuery, offset: number, limit: number) {
    const where = `tenant = $1 and list = 'outbound' and scope = '' and state in (${(states ?? []).join()})
      and doc_uid >= $2 and doc_uid < $3`;
    const range = [tenant, firstDocUidAt(from ?? 0), firstDocUidAt((to ?? MORNING + DOCUMENTS) + 1)];
    const count = await sql.get<{ documents: number }>(
      `select count(*) as documents from listing where ${where}`,
      range,
    );
    const rows = await sql.all<{ doc_uid: string }>(
      `select doc_uid from listing where ${where} order by doc_uid desc limit $4 offset $5`,
      [...range, limit, offset],
    );
    return { docUids: rows.map((row) => row.doc_uid), totalCount: Number(count?.documents) };
  }

  test('has counters of groups that equal a recount', () => assertGroupsAreTrue(database().engine, tenant, 'outbound'));

  test('gives any page of any range and states as a list without counters does', async () => {
    const border = fc
      .tuple(fc.nat(2 * GROUP_SIZE + 5), fc.integer({ min: -2, max: 2 }), fc.constantFrom(1, GROUP_SIZE))
      .map(([block, near, step]) => Math.floor(block / step) * step * BLOCK_SIZE + near);
    const place = fc.oneof(border, fc.nat(DOCUMENTS));
    const time = fc.option(place.map((seq) => MORNING + seq));
    const states = fc.subarray([...STATES, RARE], { minLength: 1 });
    const share = fc.constantFrom(0, 0.001, 0.3, 0.5, 0.7, 0.999, 1);
    await fc.assert(
      fc.asyncProperty(time, time, states, share, fc.nat(600), async (from, to, wanted, far, more) => {
        const query: ListQuery = { tenant, list: 'outbound', partner: null, states: wanted, from, to };
        const { engine } = database();
        const { totalCount } = await readListPage(engine, query, 0, 1);
        const offset = Math.floor(far * totalCount) + more;
        assert.deepEqual(await readListPage(engine, query, offset, 3), await naivePage(engine, query, offset, 3));
      }),
      { numRuns: 40 },
    );
  });
});
