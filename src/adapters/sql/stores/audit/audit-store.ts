import type { ErrorCode } from '../../../application/errors/problem-catalogue.ts';
import type { Random } from '../../../application/ports/platform.ts';
import type { AuditEntry, AuditFilter, AuditStore } from '../../../application/ports/storage/audit-store.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import { type DocUid, firstDocUidAt, nextDocUid } from '../../../domain/documents/doc-uid.ts';
import type { Sql, SqlValue } from '../engine.ts';

/** The tenant column of a call whose key was not recognised. */
const NO_TENANT = '';

type Row = {
  readonly id: string;
  readonly tenant: Edb | typeof NO_TENANT;
  readonly at: number;
  readonly key_id: string | null;
  readonly software_id: string | null;
  readonly method: string;
  readonly path: string;
  readonly doc_uid: DocUid | null;
  readonly http_status: number;
  readonly code: ErrorCode | null;
  readonly address: string;
  readonly duration_ms: number;
  readonly request_id: string;
};

const COLUMNS =
  'tenant, at, key_id, software_id, method, path, doc_uid, http_status, code, address, duration_ms, request_id';

export function auditStore(sql: Sql, random: Random): AuditStore {
  return {
    async append(entries) {
      for (const entry of entries) {
        await sql.run(
          `insert into audit (id, ${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
          [nextDocUid(entry.at, null, random.bytes(10)), ...values(entry)],
        );
      }
    },
    async read(filter) {
      // Every index begins with the tenant, so the newest entries are read for each tenant and merged.
      const tenants = filter.tenant === null ? await tenantsWithEntries(sql) : [filter.tenant];
      const found: Row[] = [];
      for (const tenant of tenants) found.push(...(await readTenant(sql, tenant, filter)));
      found.sort((a, b) => (a.id < b.id ? 1 : -1));
      return found.slice(0, filter.limit).map(toEntry);
    },
  };
}

/** Found by one index look-up for each tenant instead of a scan over all entries. */
async function tenantsWithEntries(sql: Sql): Promise<readonly string[]> {
  const tenants: string[] = [NO_TENANT];
  for (;;) {
    const next = await sql.get<{ tenant: string }>(
      'select tenant from audit where tenant > $1 order by tenant limit 1',
      [tenants.at(-1) ?? NO_TENANT],
    );
    if (next === null) return tenants;
    tenants.push(next.tenant);
  }
}

function readTenant(sql: Sql, tenant: string, filter: AuditFilter): Promise<readonly Row[]> {
  const { condition, parameters } = where(tenant, filter);
  return sql.all<Row>(
    `select id, ${COLUMNS} from audit where ${condition} order by id desc limit $${parameters.length + 1}`,
    [...parameters, filter.limit],
  );
}

function where(
  tenant: string,
  filter: AuditFilter,
): { readonly condition: string; readonly parameters: readonly SqlValue[] } {
  const conditions: (readonly [string, SqlValue])[] = [['tenant =', tenant]];
  if (filter.keyId !== null) conditions.push(['key_id =', filter.keyId]);
  if (filter.docUid !== null) conditions.push(['doc_uid =', filter.docUid]);
  if (filter.since !== null) conditions.push(['id >=', firstDocUidAt(filter.since)]);
  if (filter.until !== null) conditions.push(['id <', firstDocUidAt(filter.until + 1)]);
  const texts = conditions.map(([text], index) => `${text} $${index + 1}`);
  return { condition: texts.join(' and '), parameters: conditions.map(([, value]) => value) };
}

function values(entry: AuditEntry): readonly SqlValue[] {
  return [
    entry.tenant ?? NO_TENANT,
    entry.at,
    entry.keyId,
    entry.softwareId,
    entry.method,
    entry.path,
    entry.docUid,
    entry.httpStatus,
    entry.code,
    entry.address,
    entry.durationMs,
    entry.requestId,
  ];
}

function toEntry(row: Row): AuditEntry {
  return {
    at: row.at,
    tenant: row.tenant === NO_TENANT ? null : row.tenant,
    keyId: row.key_id,
    softwareId: row.software_id,
    method: row.method,
    path: row.path,
    docUid: row.doc_uid,
    httpStatus: row.http_status,
    code: row.code,
    address: row.address,
    durationMs: row.duration_ms,
    requestId: row.request_id,
  };
}
