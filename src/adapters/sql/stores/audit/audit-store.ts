import type { AuditFilter, AuditStore } from '../../../../application/ports/storage/audit-store.ts';
import { firstDocUidAt } from '../../../../domain/documents/doc-uid.ts';
import type { Sql, SqlValue } from '../../engine.ts';
import { type Insertion, insertRows } from '../../row-lists.ts';
import {
  AUDIT_COLUMN_NAMES,
  AUDIT_COLUMNS,
  type AuditRow,
  NO_TENANT,
  rowDigest,
  rowValues,
  toEntry,
  toRow,
} from './audit-row.ts';

const COLUMNS = AUDIT_COLUMN_NAMES.join(', ');
const ENTRY: Insertion = {
  table: 'audit',
  columns: { ...AUDIT_COLUMNS, digest: 'text' },
  onConflict: 'on conflict (tenant, id) do nothing',
};

/** A command names what it changed. */
const ENVIRONMENT_CHANGED = `
  select at from audit where tenant = $1 and id >= $2 and operator is not null and path like 'tenant set % environment%'
  order by id desc limit 1`;

export function auditStore(sql: Sql): AuditStore {
  return {
    async append(entries) {
      const rows = entries.map((entry) => rowValues(toRow(entry)));
      await insertRows(
        sql,
        ENTRY,
        rows.map((values) => [...values, rowDigest(values)]),
      );
    },
    async read(filter) {
      // Every index begins with the tenant, so the newest entries are read for each tenant and merged. What is older than those that were
      // found so far is not read: with thousands of tenants it would be nearly all.
      let found: AuditRow[] = [];
      let oldest = filter.since === null ? '' : firstDocUidAt(filter.since);
      for (const tenant of await tenantsToRead(sql, filter)) {
        for (const row of await readTenant(sql, tenant, filter, oldest)) found.push(row);
        if (found.length < 2 * filter.limit) continue;
        found = newestOf(found, filter.limit);
        oldest = found.at(-1)?.id ?? oldest;
      }
      return newestOf(found, filter.limit).map(toEntry);
    },
    async environmentChangedAt(tenant, since) {
      const row = await sql.get<{ readonly at: number }>(ENVIRONMENT_CHANGED, [tenant, firstDocUidAt(since)]);
      return row?.at ?? null;
    },
  };
}

function newestOf(rows: readonly AuditRow[], limit: number): AuditRow[] {
  return rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}

async function tenantsToRead(sql: Sql, { tenant, keyId }: AuditFilter): Promise<readonly string[]> {
  if (tenant !== null) return [tenant];
  if (keyId === null) return tenantsWithEntries(sql);
  // No index leads to the entries of a key, so all of a tenant are looked through: only those of its own can have them.
  const rows = await sql.all<{ tenant: string }>('select tenant from api_key where key_id = $1', [keyId]);
  return rows.map((row) => row.tenant);
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

function readTenant(sql: Sql, tenant: string, filter: AuditFilter, oldest: string): Promise<readonly AuditRow[]> {
  const { condition, parameters } = where(tenant, filter, oldest);
  // SQLite would read all entries of the tenant, from the newest on.
  const index = filter.docUid === null ? '' : '/*sqlite indexed by audit_by_document */ ';
  return sql.all<AuditRow>(
    `select ${COLUMNS} from audit ${index}where ${condition} order by id desc limit $${parameters.length + 1}`,
    [...parameters, filter.limit],
  );
}

function where(
  tenant: string,
  filter: AuditFilter,
  oldest: string,
): { readonly condition: string; readonly parameters: readonly SqlValue[] } {
  const conditions: (readonly [string, SqlValue])[] = [['tenant =', tenant]];
  if (filter.keyId !== null) conditions.push(['key_id =', filter.keyId]);
  if (filter.docUid !== null) conditions.push(['doc_uid =', filter.docUid]);
  if (oldest !== '') conditions.push(['id >=', oldest]);
  if (filter.until !== null) conditions.push(['id <', firstDocUidAt(filter.until + 1)]);
  const texts = conditions.map(([text], index) => `${text} $${index + 1}`);
  return { condition: texts.join(' and '), parameters: conditions.map(([, value]) => value) };
}
