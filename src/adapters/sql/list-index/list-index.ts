import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { Sql } from '../engine.ts';
import { lockTenant } from '../stores/tenant-lock.ts';

/** Documents per block: few enough to skip one by one, many enough to keep the number of blocks small. */
export const BLOCK_SIZE = 1024;

/** The scope of the list with all documents of the tenant; the others hold those of one partner. */
export const ALL_PARTNERS = '';

export type ListName = 'outbound' | 'inbound';

/** One of the lists that contain a document. */
export type Scope = readonly [tenant: Edb, list: ListName, scope: string];

export type Entry = { readonly doc_uid: DocUid; readonly seq: number };

/** The newest document of each list that the next document will be added to; the list of all partners comes first. */
export type ListHeads = readonly (Entry | null)[];

/**
 * Locks the tenant's list and reads its newest documents. Other transactions of the tenant wait from here on, so statements that do
 * not need each other's results are sent together, here and below: over a network that saves most of the round trips.
 */
export function readListHeads(sql: Sql, tenant: Edb, list: ListName, partner: string | null): Promise<ListHeads> {
  lockTenant(sql, tenant, list);
  return Promise.all(scopesOf(tenant, list, partner).map((scope) => newest(sql, scope)));
}

/** Adds a document as the newest to the tenant's list and to its partner's. */
export async function addToLists(
  sql: Sql,
  tenant: Edb,
  list: ListName,
  partner: string | null,
  document: { readonly docUid: DocUid; readonly state: number; readonly heads: ListHeads },
): Promise<void> {
  const { docUid, state, heads } = document;
  const writes = scopesOf(tenant, list, partner).flatMap((scope, index) => {
    const seq = (heads[index]?.seq ?? -1) + 1;
    const entry = sql.run(
      'insert into listing (tenant, list, scope, doc_uid, seq, state) values ($1, $2, $3, $4, $5, $6)',
      [...scope, docUid, seq, state],
    );
    return [
      entry,
      ...(seq % BLOCK_SIZE === 0 ? [beginBlock(sql, scope, seq, docUid)] : []),
      countOne(sql, scope, seq, state),
    ];
  });
  await Promise.all(writes);
}

const ADD_TO_COUNT = `on conflict (tenant, list, scope, block, state)
  do update set documents = listing_count.documents + excluded.documents`;

const ENTRIES = 'tenant = $1 and list = $2 and doc_uid = $3 and scope in ($4, $5)';

const CHANGE_STATE = `update listing set state = $6 where ${ENTRIES}`;

const CHANGE_COUNTS = `
  insert into listing_count (tenant, list, scope, block, state, documents)
  select tenant, list, scope, seq / ${BLOCK_SIZE}, change.state, change.documents
  from listing cross join (
    select cast($6 as smallint) as state, -1 as documents union all select cast($7 as smallint), 1
  ) as change
  where ${ENTRIES} ${ADD_TO_COUNT}`;

const COUNT_ONE = `
  insert into listing_count (tenant, list, scope, block, state, documents) values ($1, $2, $3, $4, $5, 1) ${ADD_TO_COUNT}`;

/** Updates entries and counters after a document's change of state. */
export async function updateListState(
  sql: Sql,
  tenant: Edb,
  list: ListName,
  partner: string | null,
  docUid: DocUid,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  // Without a partner the same scope is given twice, so that the statements stay the same.
  const scopes = [ALL_PARTNERS, partner ?? ALL_PARTNERS];
  const where = [tenant, list, docUid, ...scopes];
  const changed = await Promise.all([
    sql.run(CHANGE_STATE, [...where, to]),
    sql.run(CHANGE_COUNTS, [...where, from, to]),
  ]);
  const lists = new Set(scopes).size;
  if (changed[0] !== lists || changed[1] !== 2 * lists) {
    throw new Error('The list index has no entry or counter for a document whose state changed.');
  }
}

export function blockOf(seq: number): number {
  return Math.floor(seq / BLOCK_SIZE);
}

function scopesOf(tenant: Edb, list: ListName, partner: string | null): readonly Scope[] {
  const all: Scope = [tenant, list, ALL_PARTNERS];
  return partner === null ? [all] : [all, [tenant, list, partner]];
}

function newest(sql: Sql, scope: Scope): Promise<Entry | null> {
  return sql.get(
    'select doc_uid, seq from listing where tenant = $1 and list = $2 and scope = $3 order by doc_uid desc limit 1',
    scope,
  );
}

function beginBlock(sql: Sql, scope: Scope, seq: number, docUid: DocUid): Promise<number> {
  return sql.run('insert into listing_block (tenant, list, scope, block, first_doc_uid) values ($1, $2, $3, $4, $5)', [
    ...scope,
    blockOf(seq),
    docUid,
  ]);
}

function countOne(sql: Sql, scope: Scope, seq: number, state: number): Promise<number> {
  return sql.run(COUNT_ONE, [...scope, blockOf(seq), state]);
}
