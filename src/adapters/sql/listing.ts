import type { DocUid } from '../../domain/doc-uid.ts';
import type { Edb } from '../../domain/edb.ts';
import type { Sql } from './engine.ts';

/** Documents per block: few enough to step through, many enough to keep blocks few. */
export const BLOCK = 1024;

/** The scope that holds every document of the tenant. */
export const EVERYTHING = '';

export type ListName = 'outbound' | 'inbound';

/** One of the lists a document stands in. */
export type Scope = readonly [tenant: Edb, list: ListName, scope: string];

export type Entry = { readonly doc_uid: DocUid; readonly seq: number };

/** The newest document of the tenant's list, which the next one must follow. */
export function newestEntry(sql: Sql, tenant: Edb, list: ListName): Promise<Entry | null> {
  return newest(sql, [tenant, list, EVERYTHING]);
}

/** Puts a document at the head of the tenant's list, above the one that was the newest, and of its partner's. */
export async function enlist(
  sql: Sql,
  tenant: Edb,
  list: ListName,
  partner: string | null,
  document: { readonly docUid: DocUid; readonly state: number; readonly above: Entry | null },
): Promise<void> {
  const { docUid, state, above } = document;
  for (const scope of scopesOf(tenant, list, partner)) {
    const last = scope[2] === EVERYTHING ? above : await newest(sql, scope);
    const seq = (last?.seq ?? -1) + 1;
    await sql.run('insert into listing (tenant, list, scope, doc_uid, seq, state) values ($1, $2, $3, $4, $5, $6)', [
      ...scope,
      docUid,
      seq,
      state,
    ]);
    if (seq % BLOCK === 0) {
      await sql.run(
        'insert into listing_block (tenant, list, scope, block, first_doc_uid) values ($1, $2, $3, $4, $5)',
        [...scope, blockOf(seq), docUid],
      );
    }
    await count(sql, scope, blockOf(seq), state, 1);
  }
}

/** Follows a document's change of state. */
export async function relist(
  sql: Sql,
  tenant: Edb,
  list: ListName,
  partner: string | null,
  docUid: DocUid,
  states: { readonly from: number; readonly to: number },
): Promise<void> {
  for (const scope of scopesOf(tenant, list, partner)) {
    const row = await sql.get<{ seq: number }>(
      'update listing set state = $5 where tenant = $1 and list = $2 and scope = $3 and doc_uid = $4 returning seq',
      [...scope, docUid, states.to],
    );
    if (row === null) throw new Error('A document that changes its state is not listed.');
    await count(sql, scope, blockOf(row.seq), states.from, -1);
    await count(sql, scope, blockOf(row.seq), states.to, 1);
  }
}

export function blockOf(seq: number): number {
  return Math.floor(seq / BLOCK);
}

function scopesOf(tenant: Edb, list: ListName, partner: string | null): readonly Scope[] {
  const everything: Scope = [tenant, list, EVERYTHING];
  return partner === null ? [everything] : [everything, [tenant, list, partner]];
}

function newest(sql: Sql, scope: Scope): Promise<Entry | null> {
  return sql.get(
    'select doc_uid, seq from listing where tenant = $1 and list = $2 and scope = $3 order by doc_uid desc limit 1',
    scope,
  );
}

async function count(sql: Sql, scope: Scope, block: number, state: number, change: number): Promise<void> {
  await sql.run(
    `insert into listing_count (tenant, list, scope, block, state, documents) values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant, list, scope, block, state)
     do update set documents = listing_count.documents + excluded.documents`,
    [...scope, block, state, change],
  );
}
