import type { DocUid } from '../../domain/doc-uid.ts';
import type { Edb } from '../../domain/edb.ts';
import type { Sql } from './engine.ts';

/** Documents per counter: few enough to be scanned at the edges of a range, many enough to keep counters few. */
export const BLOCK = 1024;

/** The scope that holds every document of the tenant. */
export const EVERYTHING = '';

export type ListName = 'outbound' | 'inbound';

/** The newest docUid of the tenant's list, which the next one must follow. */
export async function newestDocUid(sql: Sql, tenant: Edb, list: ListName): Promise<DocUid | null> {
  const row = await sql.get<{ doc_uid: DocUid }>(
    'select doc_uid from listing where tenant = $1 and list = $2 and scope = $3 order by seq desc limit 1',
    [tenant, list, EVERYTHING],
  );
  return row?.doc_uid ?? null;
}

/** Puts a document at the head of the tenant's list and of its partner's. */
export async function enlist(
  sql: Sql,
  tenant: Edb,
  list: ListName,
  partner: string | null,
  docUid: DocUid,
  state: number,
): Promise<void> {
  for (const scope of scopesOf(partner)) {
    const row = await sql.get<{ seq: number }>(
      `insert into listing (tenant, list, scope, seq, doc_uid, state)
       select $1, $2, $3, coalesce(max(seq), 0) + 1, $4, $5 from listing where tenant = $1 and list = $2 and scope = $3
       returning seq`,
      [tenant, list, scope, docUid, state],
    );
    if (row === null) throw new Error('A document was not listed.');
    await count(sql, tenant, list, scope, row.seq, state, 1);
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
  for (const scope of scopesOf(partner)) {
    const row = await sql.get<{ seq: number }>(
      `update listing set state = $5 where tenant = $1 and list = $2 and scope = $3 and doc_uid = $4 returning seq`,
      [tenant, list, scope, docUid, states.to],
    );
    if (row === null) throw new Error('A document that changes its state is not listed.');
    await count(sql, tenant, list, scope, row.seq, states.from, -1);
    await count(sql, tenant, list, scope, row.seq, states.to, 1);
  }
}

function scopesOf(partner: string | null): readonly string[] {
  return partner === null ? [EVERYTHING] : [EVERYTHING, partner];
}

async function count(
  sql: Sql,
  tenant: Edb,
  list: ListName,
  scope: string,
  seq: number,
  state: number,
  change: number,
): Promise<void> {
  await sql.run(
    `insert into listing_block (tenant, list, scope, block, state, documents) values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant, list, scope, block, state)
     do update set documents = listing_block.documents + excluded.documents`,
    [tenant, list, scope, blockOf(seq), state, change],
  );
}

export function blockOf(seq: number): number {
  return Math.floor(seq / BLOCK);
}
