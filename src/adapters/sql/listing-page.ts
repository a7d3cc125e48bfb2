import { type DocUid, firstDocUidAt } from '../../domain/doc-uid.ts';
import type { Edb } from '../../domain/edb.ts';
import type { Sql } from './engine.ts';
import { BLOCK, blockOf, EVERYTHING, type ListName } from './listing.ts';

export type ListingQuery = {
  readonly tenant: Edb;
  readonly list: ListName;
  readonly partner: string | null;
  /** Null means any state. */
  readonly states: readonly number[] | null;
  readonly from: number | null;
  readonly to: number | null;
};

export type ListingPage = { readonly docUids: readonly DocUid[]; readonly totalCount: number };

type Range = { readonly low: number; readonly high: number };

/** One page, newest first, and how many documents match in all. Neither grows slower with the number of documents. */
export async function readListing(sql: Sql, query: ListingQuery, offset: number, limit: number): Promise<ListingPage> {
  const range = await rangeOf(sql, query);
  if (range === null || query.states?.length === 0) return { docUids: [], totalCount: 0 };
  return query.states === null
    ? readAnyState(sql, query, range, offset, limit)
    : readSomeStates(sql, query, query.states, range, offset, limit);
}

function scopeOf(query: ListingQuery): readonly [Edb, ListName, string] {
  return [query.tenant, query.list, query.partner ?? EVERYTHING];
}

/** The seq of the first and the last document within the dates; docUids carry their time, so two look-ups tell. */
async function rangeOf(sql: Sql, query: ListingQuery): Promise<Range | null> {
  const scope = 'from listing where tenant = $1 and list = $2 and scope = $3';
  const lowest = await sql.get<{ seq: number }>(`select seq ${scope} and doc_uid >= $4 order by doc_uid limit 1`, [
    ...scopeOf(query),
    firstDocUidAt(query.from ?? 0),
  ]);
  const highest =
    query.to === null
      ? await sql.get<{ seq: number }>(`select seq ${scope} order by seq desc limit 1`, scopeOf(query))
      : await sql.get<{ seq: number }>(`select seq ${scope} and doc_uid < $4 order by doc_uid desc limit 1`, [
          ...scopeOf(query),
          firstDocUidAt(query.to + 1),
        ]);
  if (lowest === null || highest === null || lowest.seq > highest.seq) return null;
  return { low: lowest.seq, high: highest.seq };
}

async function readAnyState(
  sql: Sql,
  query: ListingQuery,
  range: Range,
  offset: number,
  limit: number,
): Promise<ListingPage> {
  const rows = await sql.all<{ doc_uid: DocUid }>(
    `select doc_uid from listing where tenant = $1 and list = $2 and scope = $3 and seq between $4 and $5
     order by seq desc limit $6`,
    [...scopeOf(query), range.low, range.high - offset, limit],
  );
  return { docUids: rows.map((row) => row.doc_uid), totalCount: range.high - range.low + 1 };
}

async function readSomeStates(
  sql: Sql,
  query: ListingQuery,
  states: readonly number[],
  range: Range,
  offset: number,
  limit: number,
): Promise<ListingPage> {
  const totalCount = await countStates(sql, query, states, range);
  if (offset >= totalCount) return { docUids: [], totalCount };
  const start = await skip(sql, query, states, range, offset);
  const wanted = start.offset + limit;
  const found: { readonly seq: number; readonly doc_uid: DocUid }[] = [];
  for (const state of states) {
    found.push(
      ...(await sql.all<{ seq: number; doc_uid: DocUid }>(
        `select seq, doc_uid from listing where tenant = $1 and list = $2 and scope = $3 and state = $4
         and seq between $5 and $6 order by seq desc limit $7`,
        [...scopeOf(query), state, range.low, start.high, wanted],
      )),
    );
  }
  found.sort((a, b) => b.seq - a.seq);
  return { docUids: found.slice(start.offset, wanted).map((row) => row.doc_uid), totalCount };
}

/** Rows at both edges of the range, counters in between. */
async function countStates(sql: Sql, query: ListingQuery, states: readonly number[], range: Range): Promise<number> {
  const first = blockOf(range.low);
  const last = blockOf(range.high);
  if (last - first < 2) return countRows(sql, query, states, range.low, range.high);
  const inner = await sql.get<{ documents: number | null }>(
    `select sum(documents) as documents from listing_block
     where tenant = $1 and list = $2 and scope = $3 and block between $4 and $5 and state in (${states.join()})`,
    [...scopeOf(query), first + 1, last - 1],
  );
  const lowEdge = await countRows(sql, query, states, range.low, (first + 1) * BLOCK - 1);
  const highEdge = await countRows(sql, query, states, last * BLOCK, range.high);
  return lowEdge + Number(inner?.documents ?? 0) + highEdge;
}

async function countRows(
  sql: Sql,
  query: ListingQuery,
  states: readonly number[],
  low: number,
  high: number,
): Promise<number> {
  const row = await sql.get<{ documents: number }>(
    `select count(*) as documents from listing
     where tenant = $1 and list = $2 and scope = $3 and state in (${states.join()}) and seq between $4 and $5`,
    [...scopeOf(query), low, high],
  );
  return Number(row?.documents ?? 0);
}

/** Skips whole blocks by their counters, so that a page far back costs no more than the first. */
async function skip(
  sql: Sql,
  query: ListingQuery,
  states: readonly number[],
  range: Range,
  offset: number,
): Promise<{ readonly high: number; readonly offset: number }> {
  const first = blockOf(range.low);
  const last = blockOf(range.high);
  if (offset < BLOCK || last - first < 2) return { high: range.high, offset };
  const top = await countRows(sql, query, states, last * BLOCK, range.high);
  if (offset < top) return { high: range.high, offset };
  const rest = offset - top;
  const block = await sql.get<{ block: number; documents: number; running: number }>(
    `select block, documents, running from (
       select block, sum(documents) as documents, sum(sum(documents)) over (order by block desc) as running
       from listing_block
       where tenant = $1 and list = $2 and scope = $3 and block between $4 and $5 and state in (${states.join()})
       group by block
     ) as blocks where running > $6 order by block desc limit 1`,
    [...scopeOf(query), first + 1, last - 1, rest],
  );
  if (block !== null) {
    const before = Number(block.running) - Number(block.documents);
    return { high: (Number(block.block) + 1) * BLOCK - 1, offset: rest - before };
  }
  const inner = await countStates(sql, query, states, { low: (first + 1) * BLOCK, high: last * BLOCK - 1 });
  return { high: (first + 1) * BLOCK - 1, offset: rest - inner };
}
