import type { Edb } from '../../../domain/accounts/edb.ts';
import { type DocUid, firstDocUidAt } from '../../../domain/documents/doc-uid.ts';
import type { Sql } from '../engine.ts';
import { countBlocks, findBlock } from './list-counters.ts';
import { ALL_PARTNERS, BLOCK_SIZE, blockOf, type Entry, IN_SCOPE, type ListName, type Scope } from './list-index.ts';
import { scopesOfPartner } from './partner-numbers.ts';

export type ListQuery = {
  readonly tenant: Edb;
  readonly list: ListName;
  /** A tax number, however it is written; null means any partner. */
  readonly partner: string | null;
  /** Null means any state. */
  readonly states: readonly number[] | null;
  readonly from: number | null;
  readonly to: number | null;
};

export type ListPage = { readonly docUids: readonly DocUid[]; readonly totalCount: number };

/** The oldest and the newest document within the requested dates. */
type Range = { readonly oldest: Entry; readonly newest: Entry };

/** Where a page begins: `skip` documents after `from`, in the order newest first; with 0, at `from` itself. */
type Start = { readonly from: DocUid; readonly skip: number };

/**
 * One page, newest first, and the number of all matching documents. What either costs hardly grows with the number of documents.
 * It takes several statements, so it must run in a snapshot.
 */
export async function readListPage(sql: Sql, query: ListQuery, offset: number, limit: number): Promise<ListPage> {
  const { tenant, list, partner } = query;
  if (query.states?.length === 0 || partner?.trim() === ALL_PARTNERS) return NOTHING;
  const scopes = partner === null ? [ALL_PARTNERS] : await scopesOfPartner(sql, tenant, list, partner);
  const [only, another] = scopes;
  if (only === undefined) return NOTHING;
  if (another === undefined) return readScope(sql, [tenant, list, only], query, offset, limit);
  return readScopes(
    sql,
    scopes.map((scope) => [tenant, list, scope]),
    query,
    offset,
    limit,
  );
}

/**
 * A page of documents of one partner that show its number in several ways. What certainly comes before the page is skipped within each
 * scope, so that a few documents that show it otherwise do not make the pages of many expensive.
 */
async function readScopes(
  sql: Sql,
  scopes: readonly Scope[],
  query: ListQuery,
  offset: number,
  limit: number,
): Promise<ListPage> {
  const counts: number[] = [];
  for (const scope of scopes) counts.push((await readScope(sql, scope, query, 0, 0)).totalCount);
  const totalCount = counts.reduce((sum, count) => sum + count, 0);
  if (offset >= totalCount) return { docUids: [], totalCount };
  const docUids: DocUid[] = [];
  let skipped = 0;
  for (const [index, scope] of scopes.entries()) {
    const inOthers = totalCount - (counts[index] ?? 0);
    const skip = Math.max(0, offset - inOthers);
    docUids.push(...(await readScope(sql, scope, query, skip, offset + limit - skip)).docUids);
    skipped += skip;
  }
  const start = offset - skipped;
  return { docUids: docUids.sort(newestFirst).slice(start, start + limit), totalCount };
}

const NOTHING: ListPage = { docUids: [], totalCount: 0 };

async function readScope(sql: Sql, scope: Scope, query: ListQuery, offset: number, limit: number): Promise<ListPage> {
  const range = await rangeOf(sql, scope, query);
  if (range === null) return NOTHING;
  if (query.states === null) return readAnyState(sql, scope, range, offset, limit);
  return readSomeStates(sql, scope, inOneOrder(query.states), range, offset, limit);
}

/** States are part of statements, which are kept prepared: in one order there are few of them, in any order many thousands. */
function inOneOrder(states: readonly number[]): readonly number[] {
  return [...new Set(states)].toSorted((a, b) => a - b);
}

async function rangeOf(sql: Sql, scope: Scope, { from, to }: ListQuery): Promise<Range | null> {
  const oldest = await sql.get<Entry>(
    `select doc_uid, seq from listing where ${IN_SCOPE} and doc_uid >= $4 order by doc_uid limit 1`,
    [...scope, firstDocUidAt(from ?? 0)],
  );
  const newest = await sql.get<Entry>(
    `select doc_uid, seq from listing where ${IN_SCOPE} and doc_uid < $4 order by doc_uid desc limit 1`,
    [...scope, to === null ? AFTER_EVERY_DOC_UID : firstDocUidAt(to + 1)],
  );
  return oldest === null || newest === null || oldest.seq > newest.seq ? null : { oldest, newest };
}

const AFTER_EVERY_DOC_UID = 'g';

async function readAnyState(
  sql: Sql,
  scope: Scope,
  { oldest, newest }: Range,
  offset: number,
  limit: number,
): Promise<ListPage> {
  const totalCount = newest.seq - oldest.seq + 1;
  if (offset >= totalCount) return { docUids: [], totalCount };
  const start = await skipBlocks(sql, scope, newest, offset);
  const rows = await sql.all<Entry>(
    `select doc_uid from listing where ${IN_SCOPE} and doc_uid between $4 and $5
     order by doc_uid desc limit $6 offset $7`,
    [...scope, oldest.doc_uid, start.from, limit, start.skip],
  );
  return { docUids: rows.map((row) => row.doc_uid), totalCount };
}

/** Skips whole blocks, so that less than one block is left to skip by rows. */
async function skipBlocks(sql: Sql, scope: Scope, newest: Entry, offset: number): Promise<Start> {
  const block = blockOf(newest.seq - offset) + 1;
  if (block > blockOf(newest.seq)) return { from: newest.doc_uid, skip: offset };
  return { from: await firstOfBlock(sql, scope, block), skip: block * BLOCK_SIZE - (newest.seq - offset) };
}

async function readSomeStates(
  sql: Sql,
  scope: Scope,
  states: readonly number[],
  range: Range,
  offset: number,
  limit: number,
): Promise<ListPage> {
  const totalCount = await countStates(sql, scope, states, range);
  if (offset >= totalCount) return { docUids: [], totalCount };
  const { from, skip } = await skipStates(sql, scope, states, range, offset);
  const found: DocUid[] = [];
  for (const state of states) {
    const rows = await sql.all<Entry>(
      `select doc_uid from listing where ${IN_SCOPE} and state = $4 and doc_uid between $5 and $6
       order by doc_uid desc limit $7`,
      [...scope, state, range.oldest.doc_uid, from, skip + limit],
    );
    found.push(...rows.map((row) => row.doc_uid));
  }
  found.sort(newestFirst);
  return { docUids: found.slice(skip, skip + limit), totalCount };
}

function newestFirst(one: DocUid, other: DocUid): number {
  return one < other ? 1 : -1;
}

/** Counts rows in the incomplete blocks at both ends of the range and adds the counters of the blocks in between. */
async function countStates(sql: Sql, scope: Scope, states: readonly number[], range: Range): Promise<number> {
  const { oldest, newest } = range;
  const first = blockOf(oldest.seq) + 1;
  const last = blockOf(newest.seq);
  if (last <= first) return countBetween(sql, scope, states, oldest.doc_uid, newest.doc_uid);
  const belowBlocks = await countBetween(
    sql,
    scope,
    states,
    oldest.doc_uid,
    await firstOfBlock(sql, scope, first),
    'exclusive',
  );
  const aboveBlocks = await countBetween(sql, scope, states, await firstOfBlock(sql, scope, last), newest.doc_uid);
  return belowBlocks + (await countBlocks(sql, scope, states, { first, end: last })) + aboveBlocks;
}

async function countBetween(
  sql: Sql,
  scope: Scope,
  states: readonly number[],
  low: DocUid,
  high: DocUid,
  end: 'inclusive' | 'exclusive' = 'inclusive',
): Promise<number> {
  const row = await sql.get<{ documents: number }>(
    `select count(*) as documents from listing where ${IN_SCOPE} and state in (${states.join()})
     and doc_uid >= $4 and doc_uid ${end === 'inclusive' ? '<=' : '<'} $5`,
    [...scope, low, high],
  );
  return Number(row?.documents ?? 0);
}

/** Skips whole blocks by their counters, so that a page far back costs no more than the first. */
async function skipStates(
  sql: Sql,
  scope: Scope,
  states: readonly number[],
  { oldest, newest }: Range,
  offset: number,
): Promise<Start> {
  const lowest = blockOf(oldest.seq);
  const last = blockOf(newest.seq);
  if (offset < BLOCK_SIZE || last === lowest) return { from: newest.doc_uid, skip: offset };
  const lastBlockStart = await firstOfBlock(sql, scope, last);
  const above = await countBetween(sql, scope, states, lastBlockStart, newest.doc_uid);
  if (offset < above) return { from: newest.doc_uid, skip: offset };
  // The lowest block may begin before the range. Its counter may then be too high, which is harmless: that block is never skipped.
  const found = await findBlock(sql, scope, states, { first: lowest, end: last }, offset - above);
  if (found === null) throw new Error('The counters of the list index do not match its entries.');
  const from = await firstOfBlock(sql, scope, found.block + 1);
  // `from` is the oldest document of the next newer block; if it matches the states, it is one more to skip.
  return { from, skip: offset - above - found.before + (await countBetween(sql, scope, states, from, from)) };
}

async function firstOfBlock(sql: Sql, scope: Scope, block: number): Promise<DocUid> {
  const row = await sql.get<{ first_doc_uid: DocUid }>(
    `select first_doc_uid from listing_block where ${IN_SCOPE} and block = $4`,
    [...scope, block],
  );
  if (row === null) throw new Error('A block of the list index has no first document.');
  return row.first_doc_uid;
}
