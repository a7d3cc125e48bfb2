import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { Sql, SqlValue } from '../engine.ts';
import { type Insertion, insertRows, queryEach, type RowQuery } from '../row-lists.ts';
import { lockTenant } from '../stores/tenant-lock.ts';

/** Documents per block: few enough to skip one by one, many enough to keep the number of blocks small. */
export const BLOCK_SIZE = 1024;

/** Blocks whose counters are added up in one: see migration 31, whose triggers do that. */
export const GROUP_SIZE = 64;

/** The scope of the list with all documents of the tenant; the others hold those of one partner. */
export const ALL_PARTNERS = '';

export type ListName = 'outbound' | 'inbound';

/** One of the lists that contain a document. */
export type Scope = readonly [tenant: Edb, list: ListName, scope: string];

/** The entries, blocks and counters of a scope, whose parts are the first three parameters. */
export const IN_SCOPE = 'tenant = $1 and list = $2 and scope = $3';

/** A document of a tenant and its partner, by which its lists are found. */
export type Place = { readonly tenant: Edb; readonly partner: string | null };

export type ListedDocument = Place & { readonly docUid: DocUid; readonly state: number };

export type Entry = { readonly doc_uid: DocUid; readonly seq: number };

/** The newest document of each list that the next documents will be added to. */
export type ListHeads = ReadonlyMap<string, Entry>;

const NEWEST: RowQuery = {
  text: `select doc_uid, seq from listing where tenant = $1 and list = $2 and scope = $3
    order by doc_uid desc limit 1`,
  types: ['text', 'text', 'text'],
};

/**
 * Locks the lists of the tenants and reads their newest documents. Other transactions of a tenant wait from here on, so statements
 * that do not need each other's results are sent together, here and below: over a network that saves most of the round trips.
 */
export async function readListHeads(sql: Sql, list: ListName, places: readonly Place[]): Promise<ListHeads> {
  for (const { tenant } of places) lockTenant(sql, tenant, list);
  return readNewest(sql, list, places);
}

/** The same without a lock of its own, for those who have asked for it. */
export async function readNewest(sql: Sql, list: ListName, places: readonly Place[]): Promise<ListHeads> {
  const scopes = new Map(places.flatMap((place) => scopesOf(place, list)).map((scope) => [nameOf(scope), scope]));
  const found = await queryEach<Entry>(sql, NEWEST, [...scopes.values()]);
  const heads = [...scopes.keys()].map((name, index) => [name, found[index] ?? null] as const);
  return new Map(heads.flatMap(([name, entry]) => (entry === null ? [] : [[name, entry]])));
}

/** The newest document of the tenant's list of all partners. */
export function newestOf(heads: ListHeads, tenant: Edb, list: ListName): DocUid | null {
  return heads.get(nameOf([tenant, list, ALL_PARTNERS]))?.doc_uid ?? null;
}

/** Adds documents, the oldest first, as the newest to the lists of their tenants and of their partners. */
export async function addToLists(
  sql: Sql,
  list: ListName,
  heads: ListHeads,
  documents: readonly ListedDocument[],
): Promise<void> {
  const last = new Map<string, number>();
  const entries = documents.flatMap((document) =>
    scopesOf(document, list).map((scope) => {
      const name = nameOf(scope);
      const seq = (last.get(name) ?? heads.get(name)?.seq ?? -1) + 1;
      last.set(name, seq);
      return { scope, seq, block: blockOf(seq), docUid: document.docUid, state: document.state };
    }),
  );
  const begun = entries.filter(({ seq }) => seq % BLOCK_SIZE === 0);
  await Promise.all([
    insertRows(
      sql,
      LISTING,
      entries.map(({ scope, docUid, seq, state }) => [...scope, docUid, seq, state]),
    ),
    insertRows(
      sql,
      LISTING_BLOCK,
      begun.map(({ scope, block, docUid }) => [...scope, block, docUid]),
    ),
    insertRows(sql, LISTING_COUNT, countsOf(entries)),
  ]);
}

type Counted = { readonly scope: Scope; readonly block: number; readonly state: number };

/** One row for each counter: a statement cannot change the same one twice. */
function countsOf(entries: readonly Counted[]): readonly (readonly SqlValue[])[] {
  const counts = new Map<string, { readonly key: readonly SqlValue[]; documents: number }>();
  for (const { scope, block, state } of entries) {
    const name = `${nameOf(scope)} ${block} ${state}`;
    const count = counts.get(name) ?? { key: [...scope, block, state], documents: 0 };
    count.documents += 1;
    counts.set(name, count);
  }
  return [...counts.values()].map(({ key, documents }) => [...key, documents]);
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

const SCOPE = { tenant: 'text', list: 'text', scope: 'text' } as const;

const LISTING: Insertion = {
  table: 'listing',
  columns: { ...SCOPE, doc_uid: 'text', seq: 'bigint', state: 'bigint' },
};

const LISTING_BLOCK: Insertion = {
  table: 'listing_block',
  columns: { ...SCOPE, block: 'bigint', first_doc_uid: 'text' },
};

const LISTING_COUNT: Insertion = {
  table: 'listing_count',
  columns: { ...SCOPE, block: 'bigint', state: 'bigint', documents: 'bigint' },
  onConflict: ADD_TO_COUNT,
};

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

function scopesOf({ tenant, partner }: Place, list: ListName): readonly Scope[] {
  const all: Scope = [tenant, list, ALL_PARTNERS];
  return partner === null ? [all] : [all, [tenant, list, partner]];
}

/** Neither tenants nor the names of lists have spaces. */
function nameOf(scope: Scope): string {
  return scope.join(' ');
}
