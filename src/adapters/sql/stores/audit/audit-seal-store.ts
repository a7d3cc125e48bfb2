import type { AuditSealStore, FoundEntry } from '../../../../application/ports/storage/audit-seal-store.ts';
import {
  type AuditChain,
  type AuditSeal,
  parseSealedEntries,
  type SealedEntry,
  sealedEntriesText,
} from '../../../../domain/audit/audit-seal.ts';
import type { Sql, SqlValue } from '../../engine.ts';
import { AUDIT_COLUMNS, type AuditRow, rowDigest, rowValues } from './audit-row.ts';

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

const SEAL = 'select block, chain, sealed_at, total, previous, entries, hash, expired from audit_seal';
const ENTRY = `select ${AUDIT_COLUMNS.join(', ')}, block, digest from audit`;

/** Which entries belong to a chain. */
const BELONGS: Readonly<Record<AuditChain, string>> = {
  recognised: `(tenant <> '' or operator is not null)`,
  unrecognised: `(tenant = '' and operator is null)`,
};

export function auditSealStore(sql: Sql): AuditSealStore {
  return {
    lock: () => sql.lock('audit seal'),
    async lastBlock() {
      const row = await sql.get<{ block: number | null }>('select max(block) as block from audit_seal', []);
      return row?.block ?? 0;
    },
    lastOf: (chain) => oneSeal(sql, 'where chain = $1 order by block desc', [chain]),
    oldestOf: (chain) => oneSeal(sql, 'where chain = $1 and expired = 0 order by block', [chain]),
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
    async adoptionUntil() {
      const row = await sql.get<{ until_at: number }>('select until_at from audit_adoption order by id limit 1', []);
      return row?.until_at ?? null;
    },
    adopt: (limit) => adopt(sql, limit),
    async endAdoption() {
      await sql.run('delete from audit_adoption', []);
    },
    async seals(afterBlock, limit) {
      const rows = await sql.all<SealRow>(`${SEAL} where block > $1 order by block limit $2`, [afterBlock, limit]);
      return rows.map(toSeal);
    },
    async entriesWithin(afterBlock, upToBlock) {
      const text = `${ENTRY} where block > $1 and block <= $2 order by block, id, tenant`;
      return (await sql.all<FoundRow>(text, [afterBlock, upToBlock])).map(toFound);
    },
    async waiting(after, limit) {
      const text = `${ENTRY} where block is null and (id, tenant) > ($1, $2) order by id, tenant limit $3`;
      return (await sql.all<FoundRow>(text, [after?.id ?? '', after?.tenant ?? '', limit])).map(toFound);
    },
    snapshot: (work) => sql.snapshot((frozen) => work(auditSealStore(frozen))),
  };
}

/** One statement chooses and marks the entries: what others commit meanwhile is sealed next time. */
async function assign(sql: Sql, chain: AuditChain, block: number, limit: number): Promise<readonly SealedEntry[]> {
  const rows = await sql.all<{ id: string; tenant: string; digest: string }>(
    `update audit set block = $1 where (tenant, id) in (
       select tenant, id from audit where block is null and digest is not null and ${BELONGS[chain]} order by id limit $2
     ) returning tenant, id, digest`,
    [block, limit],
  );
  return rows
    .toSorted((a, b) => compare(a.id, b.id) || compare(a.tenant, b.tenant))
    .map(({ id, digest }) => ({ id, digest }));
}

async function adopt(sql: Sql, limit: number): Promise<number> {
  const rows = await sql.all<AuditRow>(`${ENTRY} where block is null and digest is null order by id limit $1`, [limit]);
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
    entries: parseSealedEntries(row.entries),
    hash: row.hash,
    isExpired: row.expired === 1,
  };
}

function toFound(row: FoundRow): FoundEntry {
  return {
    tenant: row.tenant,
    id: row.id,
    block: row.block,
    digest: rowDigest(rowValues(row)),
    written: row.digest,
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
