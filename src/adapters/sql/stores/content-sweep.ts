import type { ContentSweep } from '../../../application/ports/storage/archive-store.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Engine, Sql } from '../engine.ts';

type Reference = { readonly id: string } & Readonly<Record<string, Uint8Array | string | null>>;

const SIDES = [
  { table: 'outbound', columns: ['ubl_sha256', 'pdf_sha256', 'ujp_sha256'] },
  { table: 'inbound', columns: ['original_sha256', 'ubl_sha256', 'pdf_sha256'] },
] as const;
type Side = (typeof SIDES)[number];

const PAGE = 1_000;
/** Files that are decided on together: each time all of the tenant's documents are looked through. */
const ROUND = 100_000;
/** Files removed in one transaction: others wait for it. */
const CHUNK = 100;

const PLACES = Array.from({ length: CHUNK }, (_, index) => `$${index + 2}`).join(', ');
const STILL_THERE = `select sha256 from content where tenant = $1 and sha256 in (${PLACES})`;

/**
 * A submission that finds its bytes stored already keeps them without a trace until it is committed. While files are
 * removed, nobody stores any: who is at it is waited for, who comes later waits.
 */
const ALONE = '/*postgres set local lock_timeout = 5000; lock table content in exclusive mode */';

export function contentSweep(engine: Engine): ContentSweep {
  return {
    async sweep(tenant) {
      let removed = 0;
      for (const side of SIDES) removed += await sweepSide(engine, tenant, side);
      return removed;
    },
  };
}

async function sweepSide(engine: Engine, tenant: Edb, side: Side): Promise<number> {
  let removed = 0;
  let candidates = new Set<string>();
  for await (const page of references(engine, tenant, side, 'archived_at is not null')) {
    for (const name of await stillThere(engine, tenant, namesOf(side, page))) candidates.add(name);
    if (candidates.size < ROUND) continue;
    removed += await removeUnused(engine, tenant, candidates);
    candidates = new Set();
  }
  return removed + (await removeUnused(engine, tenant, candidates));
}

async function removeUnused(engine: Engine, tenant: Edb, candidates: Set<string>): Promise<number> {
  if (candidates.size === 0) return 0;
  // Identifiers grow: whatever refers to a file from now on is behind these.
  const heads = await Promise.all(SIDES.map(({ table }) => head(engine, tenant, table)));
  for (const side of SIDES) {
    for await (const page of references(engine, tenant, side, 'archived_at is null')) {
      for (const name of namesOf(side, page)) candidates.delete(name);
    }
  }
  const unused = [...candidates];
  let removed = 0;
  for (let first = 0; first < unused.length; first += CHUNK) {
    const chunk = unused.slice(first, first + CHUNK);
    removed += await engine.transaction(async (sql) => {
      await engine.script(sql, ALONE);
      const taken = new Set<string>();
      for (const [index, side] of SIDES.entries()) {
        for await (const page of references(sql, tenant, side, 'archived_at is null', heads[index])) {
          for (const name of namesOf(side, page)) taken.add(name);
        }
      }
      const names = chunk.filter((name) => !taken.has(name));
      const text = 'delete from content where tenant = $1 and sha256 = $2';
      const changes = await Promise.all(names.map((name) => sql.run(text, [tenant, Buffer.from(name, 'hex')])));
      return changes.reduce((sum, count) => sum + count, 0);
    });
  }
  return removed;
}

async function head(sql: Sql, tenant: Edb, table: string): Promise<string> {
  const text = `select max(id) as id from ${table} where tenant = $1 and doc_uid is not null`;
  return (await sql.get<{ id: string | null }>(text, [tenant]))?.id ?? '';
}

/** What documents refer to, page by page in the order of their identifiers. */
async function* references(sql: Sql, tenant: Edb, { table, columns }: Side, condition: string, behind = '') {
  let after = behind;
  for (;;) {
    const page = await sql.all<Reference>(
      `select id, ${columns.join(', ')} from ${table} where tenant = $1 and id > $2 and ${condition} order by id limit $3`,
      [tenant, after, PAGE],
    );
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}

function namesOf({ columns }: Side, page: readonly Reference[]): readonly string[] {
  return page.flatMap((row) =>
    columns.flatMap((column) => {
      const value = row[column];
      return value instanceof Uint8Array ? [Buffer.from(value).toString('hex')] : [];
    }),
  );
}

async function stillThere(sql: Sql, tenant: Edb, names: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (let first = 0; first < names.length; first += CHUNK) {
    // Always as many, so that it is always the same statement.
    const asked = Array.from({ length: CHUNK }, (_, index) => Buffer.from(names[first + index] ?? '', 'hex'));
    const rows = await sql.all<{ sha256: Uint8Array }>(STILL_THERE, [tenant, ...asked]);
    found.push(...rows.map(({ sha256 }) => Buffer.from(sha256).toString('hex')));
  }
  return found;
}
