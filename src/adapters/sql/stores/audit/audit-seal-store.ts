import type { AuditSealStore, FoundEntry, StrayRow } from '../../../../application/ports/storage/audit-seal-store.ts';
import {
  type AuditChain,
  type AuditSeal,
  parseSealedEntries,
  type SealedEntry,
  sealedEntriesText,
} from '../../../../domain/audit/audit-seal.ts';
import type { Sql, SqlValue } from '../../engine.ts';
import { AUDIT_COLUMN_NAMES, type AuditRow, NO_TENANT, rowDigest, rowValues } from './audit-row.ts';

type SealRow = {
  readonly block: number;
  readonly chain: AuditChain;
  readonly sealed_at: number;
  readonly total: number;
  readonly previous: string;
  readonly entries: string;
  readonly hash: string;
  readonly expired: number;
};

type FoundRow = AuditRow & { readonly block: number | null; readonly digest: string | null };

const HIGHEST_BLOCK = Number.MAX_SAFE_INTEGER;
/** Somebody may have written other numbers, and SQLite takes values of every type: those are stray rows. */
const HAS_BLOCK = `block between 1 and ${HIGHEST_BLOCK}`;
const SHOWN_BLOCK = '/*sqlite substr(quote(block), 1, 40) as */ /*postgres cast(block as text) as */ shown';
const LATEST_INSTANT = 8.64e15;

const INTEGERS: ReadonlySet<string> = new Set(['at', 'http_status', 'calls', 'sealed_at', 'total', 'expired']);
const SEAL = `select ${readable(['block', 'chain', 'sealed_at', 'total', 'previous', 'entries', 'hash', 'expired'])} from audit_seal`;
const ENTRY = `select ${readable(AUDIT_COLUMN_NAMES)}, block, digest from audit`;

/** Which entries belong to a chain; in the same words as \`chainOf\`. */
const BELONGS: Readonly<Record<AuditChain, string>> = {
  recognised: `(tenant <> '' or operator is not null)`,
  unrecognised: `(tenant = '' and operator is null)`,
};

export function auditSealStore(sql: Sql): AuditSealStore {
  return {
    lock: () => sql.lock('audit seal'),
    async lastBlock() {
      const text = `select max(block) as block from audit_seal where ${HAS_BLOCK}`;
      const row = await sql.get<{ block: number | null }>(text, []);
      return Math.floor(row?.block ?? 0);
    },
    lastOf: (chain) => oneSeal(sql, `where chain = $1 and ${HAS_BLOCK} order by block desc`, [chain]),
    oldestOf: (chain) => oneSeal(sql, `where chain = $1 and expired = 0 and ${HAS_BLOCK} order by block`, [chain]),
    assign: (chain, block, limit) => assign(sql, chain, block, limit),
    async add(seal) {
      await sql.run(
        `insert into audit_seal (block, chain, sealed_at, total, previous, entries, hash)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [seal.block, seal.chain, seal.sealedAt, seal.total, seal.previous, sealedEntriesText(seal.entries), seal.hash],
      );
    },
    async expire(chain, block) {
      const deleted = await sql.run('delete from audit where block = $1', [block]);
      await sql.run('update audit_seal set expired = 1 where block = $1', [block]);
      await sql.run('delete from audit_seal where chain = $1 and block < $2', [chain, block]);
      return deleted;
    },
    async adoption() {
      const row = await sql.get<{ rows: number; until: number | null }>(
        `select count(*) as rows, /*sqlite min(max(max(until_at), 0), ${LATEST_INSTANT}) as */
           /*postgres least(greatest(max(until_at), 0), ${LATEST_INSTANT}) as */ until from audit_adoption`,
        [],
      );
      return row === null || row.rows === 0 ? null : { rows: row.rows, until: Number(row.until) };
    },
    adopt: (notAfter, limit) => adopt(sql, notAfter, limit),
    async endAdoption() {
      await sql.run('delete from audit_adoption', []);
    },
    async seals(afterBlock, limit) {
      const rows = await sql.all<SealRow>(
        `${SEAL} where block > $1 and block <= ${HIGHEST_BLOCK} order by block limit $2`,
        [afterBlock, limit],
      );
      return rows.map(toSeal);
    },
    async entriesWithin(afterBlock, upToBlock) {
      const text = `${ENTRY} where block > $1 and block <= $2 order by block, id, tenant`;
      return (await sql.all<FoundRow>(text, [afterBlock, upToBlock])).map(toFound);
    },
    stray: () => strayRow(sql),
    async waiting(after, limit) {
      // Not "after two empty texts": an entry may have been given just those.
      const rest = after === null ? '' : 'and (id, tenant) > ($2, $3)';
      const text = `${ENTRY} where block is null ${rest} order by id, tenant limit $1`;
      const place = after === null ? [] : [after.id, after.tenant];
      return (await sql.all<FoundRow>(text, [limit, ...place])).map(toFound);
    },
    snapshot: (work) => sql.snapshot((frozen) => work(auditSealStore(frozen)), 'long'),
  };
}

/**
 * Columns for a select. The driver of SQLite refuses to read a whole row that has an integer beyond the exact ones; as a text it is
 * merely wrong, and is named as what was changed.
 */
function readable(columns: readonly string[]): string {
  const exact = `between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`;
  return columns
    .map((column) =>
      INTEGERS.has(column) ? `/*sqlite iif(${column} ${exact}, ${column}, quote(${column})) as */ ${column}` : column,
    )
    .join(', ');
}

async function strayRow(sql: Sql): Promise<StrayRow | null> {
  const outside = (columns: string, table: string, ...conditions: readonly string[]) =>
    conditions.map((condition) => `select ${columns}, ${SHOWN_BLOCK} from ${table} where ${condition}`);
  // A select for each condition, so that each of them uses the index.
  const beyond = [`block <= ${Number.MIN_SAFE_INTEGER}`, `block > ${HIGHEST_BLOCK}`];
  for (const [table, selects] of [
    ['entry', outside('id', 'audit', ...beyond)],
    ['seal', outside('null as id', 'audit_seal', ...beyond, 'block is null')],
  ] as const) {
    const row = await sql.get<{ id: string | null; shown: string }>(`${selects.join(' union all ')} limit 1`, []);
    if (row !== null) return { table, id: row.id === null ? null : String(row.id), block: String(row.shown) };
  }
  return null;
}

/**
 * One statement chooses and marks the entries: what others commit meanwhile is sealed next time. By the index of blocks, which has what waits
 * in one place: SQLite would read all calls without a key that are kept.
 */
async function assign(sql: Sql, chain: AuditChain, block: number, limit: number): Promise<readonly SealedEntry[]> {
  const rows = await sql.all<{ id: string; tenant: string; digest: string }>(
    `update audit set block = $1 where (tenant, id) in (
       select tenant, id from audit /*sqlite indexed by audit_by_block*/
       where block is null and digest is not null and ${BELONGS[chain]} order by id limit $2
     ) returning tenant, id, digest`,
    [block, limit],
  );
  return rows
    .toSorted((a, b) => compare(a.id, b.id) || compare(a.tenant, b.tenant))
    .map(({ id, digest }) => ({ id, digest }));
}

async function adopt(sql: Sql, notAfter: number, limit: number): Promise<number> {
  const text = `${ENTRY} where block is null and digest is null and at <= $1 order by id limit $2`;
  const rows = await sql.all<AuditRow>(text, [notAfter, limit]);
  await Promise.all(
    rows.map((row) =>
      sql.run('update audit set digest = $1 where tenant = $2 and id = $3', [
        rowDigest(rowValues(row)),
        row.tenant,
        row.id,
      ]),
    ),
  );
  return rows.length;
}

async function oneSeal(sql: Sql, condition: string, parameters: readonly SqlValue[]): Promise<AuditSeal | null> {
  const row = await sql.get<SealRow>(`${SEAL} ${condition} limit 1`, parameters);
  return row === null ? null : toSeal(row);
}

function toSeal(row: SealRow): AuditSeal {
  return {
    chain: row.chain,
    block: row.block,
    sealedAt: row.sealed_at,
    total: row.total,
    previous: row.previous,
    entries: parseSealedEntries(String(row.entries)),
    hash: row.hash,
    isExpired: row.expired !== 0,
  };
}

function toFound(row: FoundRow): FoundEntry {
  return {
    tenant: row.tenant,
    id: row.id,
    chain: chainOf(row),
    at: row.at,
    block: row.block,
    digest: rowDigest(rowValues(row)),
    written: row.digest,
  };
}

function chainOf({ tenant, operator }: AuditRow): AuditChain {
  return tenant !== NO_TENANT || operator !== null ? 'recognised' : 'unrecognised';
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
