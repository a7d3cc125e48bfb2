import type { Sql } from '../engine.ts';
import { GROUP_SIZE, IN_SCOPE, type Scope } from './list-index.ts';

/** From the block `first` to the one before `end`. */
type Blocks = { readonly first: number; readonly end: number };

/** Blocks whose counters are read one by one, whole groups, and blocks one by one again. */
type Parts = { readonly below: Blocks; readonly groups: Blocks; readonly above: Blocks };

/** How many documents of these blocks are in one of the states. */
export async function countBlocks(sql: Sql, scope: Scope, states: readonly number[], blocks: Blocks): Promise<number> {
  const row = await sql.get<{ documents: number | null }>(
    `select sum(documents) as documents from ${countersOf(states)}`,
    [...scope, ...limitsOf(withGroups(blocks))],
  );
  return Number(row?.documents ?? 0);
}

type Found = { readonly block: number; readonly before: number };

/**
 * The block that has the document after `count` others in one of the states, from the newest block on, and how many of those are in blocks before.
 * Null where the blocks have no more than `count`.
 */
export async function findBlock(
  sql: Sql,
  scope: Scope,
  states: readonly number[],
  blocks: Blocks,
  count: number,
): Promise<Found | null> {
  const parts = withGroups(blocks);
  const found = await findPart(sql, scope, states, parts, count);
  if (found === null || found.block < parts.groups.first || found.block >= parts.groups.end) return found;
  const group = oneByOne({ first: found.block, end: found.block + GROUP_SIZE });
  const within = await findPart(sql, scope, states, group, count - found.before);
  return within && { block: within.block, before: found.before + within.before };
}

/** The same, where for a group the first of its blocks is found. */
async function findPart(
  sql: Sql,
  scope: Scope,
  states: readonly number[],
  parts: Parts,
  count: number,
): Promise<Found | null> {
  const row = await sql.get<{ first: number; documents: number; running: number }>(
    `select first, documents, running from (
       select first, sum(documents) as documents, sum(sum(documents)) over (order by first desc) as running
       from ${countersOf(states)} group by first
     ) as parts where running > $10 order by first desc limit 1`,
    [...scope, ...limitsOf(parts), count],
  );
  return row && { block: Number(row.first), before: Number(row.running) - Number(row.documents) };
}

function withGroups({ first, end }: Blocks): Parts {
  const from = Math.ceil(first / GROUP_SIZE) * GROUP_SIZE;
  const to = Math.floor(end / GROUP_SIZE) * GROUP_SIZE;
  if (to <= from) return oneByOne({ first, end });
  return { below: { first, end: from }, groups: { first: from, end: to }, above: { first: to, end } };
}

function oneByOne(blocks: Blocks): Parts {
  const none = { first: blocks.end, end: blocks.end };
  return { below: blocks, groups: none, above: none };
}

function limitsOf({ below, groups, above }: Parts): readonly number[] {
  const whole = [groups.first, groups.end].map((block) => Math.floor(block / GROUP_SIZE));
  return [below.first, below.end, ...whole, above.first, above.end];
}

/** Each with the first block that it counts. */
function countersOf(states: readonly number[]): string {
  const where = `${IN_SCOPE} and state in (${states.join()})`;
  return `(
    select block as first, documents from listing_count where ${where} and block >= $4 and block < $5
    union all
    select block_group * ${GROUP_SIZE}, documents from listing_group_count
    where ${where} and block_group >= $6 and block_group < $7
    union all
    select block, documents from listing_count where ${where} and block >= $8 and block < $9
  ) as counters`;
}
