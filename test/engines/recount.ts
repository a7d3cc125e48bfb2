import assert from 'node:assert/strict';
import type { Engine } from '../../src/adapters/sql/engine.ts';
import { BLOCK_SIZE, blockOf, GROUP_SIZE } from '../../src/adapters/sql/list-index/list-index.ts';

type Row = { readonly scope: string; readonly seq: number; readonly doc_uid: string; readonly state: number };
type Counter = { readonly scope: string; readonly block: number; readonly state: number; readonly documents: number };

/** Counts a tenant's list again, row by row, and asserts that sequence, order, states and block counters are true. */
export async function assertListIsTrue(engine: Engine, tenant: string, list: 'outbound' | 'inbound'): Promise<void> {
  const rows = await engine.all<Row>(
    'select scope, seq, doc_uid, state from listing where tenant = $1 and list = $2 order by scope, seq',
    [tenant, list],
  );
  const recount = new Map<string, number>();
  const newest = new Map<string, Row>();
  for (const row of rows) {
    const before = newest.get(row.scope);
    assert.equal(row.seq, (before?.seq ?? -1) + 1, 'the sequence of a scope has no gap');
    assert.ok(row.doc_uid > (before?.doc_uid ?? ''), 'the sequence is the order of docUid');
    newest.set(row.scope, row);
    const counter = `${row.scope}/${blockOf(row.seq)}/${row.state}`;
    recount.set(counter, (recount.get(counter) ?? 0) + 1);
  }
  const counters = await engine.all<Counter>(
    'select scope, block, state, documents from listing_count where tenant = $1 and list = $2 and documents <> 0',
    [tenant, list],
  );
  const kept = new Map(counters.map(({ scope, block, state, documents }) => [`${scope}/${block}/${state}`, documents]));
  assert.deepEqual(new Map([...kept].toSorted()), new Map([...recount].toSorted()), 'the counters equal a recount');
  await assertGroupsAreTrue(engine, tenant, list);
  await assertBlocksBeginRightly(engine, tenant, list, rows);
  await assertDocumentsAreListed(engine, tenant, list, rows);
}

/** The same for the counters of groups of blocks alone, in the database: of a list that is too long to be read. */
export async function assertGroupsAreTrue(engine: Engine, tenant: string, list: string): Promise<void> {
  const counters = await engine.all<Counter>(
    `select scope, block_group as block, state, documents from listing_group_count
     where tenant = $1 and list = $2 and documents <> 0`,
    [tenant, list],
  );
  const recount = await engine.all<Counter>(
    `select scope, seq / ${BLOCK_SIZE * GROUP_SIZE} as block, state, count(*) as documents from listing
     where tenant = $1 and list = $2 group by scope, seq / ${BLOCK_SIZE * GROUP_SIZE}, state`,
    [tenant, list],
  );
  const [kept, expected] = [counters, recount].map((rows) =>
    rows.map(({ scope, block, state, documents }) => `${scope}/${block}/${state}: ${documents}`).toSorted(),
  );
  assert.deepEqual(kept, expected, 'the counters of groups equal a recount');
}

async function assertBlocksBeginRightly(
  engine: Engine,
  tenant: string,
  list: string,
  rows: readonly Row[],
): Promise<void> {
  const blocks = await engine.all<{ scope: string; block: number; first_doc_uid: string }>(
    'select scope, block, first_doc_uid from listing_block where tenant = $1 and list = $2 order by scope, block',
    [tenant, list],
  );
  const kept = blocks.map(({ scope, block, first_doc_uid }) => `${scope}/${block}/${first_doc_uid}`);
  const first = rows.filter(({ seq }) => seq % BLOCK_SIZE === 0);
  const expected = first.map(({ scope, seq, doc_uid }) => `${scope}/${blockOf(seq)}/${doc_uid}`);
  assert.deepEqual(kept, expected, 'every block begins with its first document');
}

async function assertDocumentsAreListed(
  engine: Engine,
  tenant: string,
  list: 'outbound' | 'inbound',
  rows: readonly Row[],
): Promise<void> {
  const [partner, state] =
    list === 'outbound' ? ['partner_edb', 'status'] : ['sender_edb', 'case when acked_at is null then 0 else 1 end'];
  const documents = await engine.all<{ doc_uid: string; partner: string | null; state: number }>(
    `select doc_uid, ${partner} as partner, ${state} as state from ${list} where tenant = $1 and doc_uid is not null`,
    [tenant],
  );
  const expected = documents.flatMap((document) =>
    ['', ...(document.partner === null ? [] : [document.partner])].map(
      (scope) => `${scope}/${document.doc_uid}/${document.state}`,
    ),
  );
  const listed = rows.map((row) => `${row.scope}/${row.doc_uid}/${row.state}`);
  assert.deepEqual(listed.toSorted(), expected.toSorted(), 'every document is listed in its scopes with its state');
}
