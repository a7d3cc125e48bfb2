import type {
  AuditEntry,
  AuditFilter,
  AuditPage,
  AuditStore,
} from '../../../../application/ports/storage/audit-store.ts';
import { type DocUid, firstDocUidAt } from '../../../../domain/documents/doc-uid.ts';
import type { Sql, SqlValue } from '../../engine.ts';
import { type ColumnType, type Insertion, insertRows, queryAll } from '../../row-lists.ts';
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

/** Entries that are looked through for one page of a key. */
export const LOOKED_THROUGH = 10_000;

/** A server is asked for the entries of many tenants at a time: each statement costs a way to it and back. */
const TENANTS_PER_STATEMENT = 64;

/** Found by one index look-up for each tenant instead of a scan over all entries. */
const TENANTS_WITH_ENTRIES = `
  with recursive walk (tenant) as (
    select (select tenant from audit where tenant > '${NO_TENANT}' order by tenant limit 1)
    union all
    select (select tenant from audit where tenant > walk.tenant order by tenant limit 1) from walk where walk.tenant is not null
  )
  select tenant from walk where tenant is not null`;

/** A command names what it changed. No index leads to commands: so many entries are looked through by one statement. */
const ENVIRONMENT_CHANGED = `
  select count(*) as entries, min(id) as first,
    max(case when operator is not null and path like 'tenant set % environment%' then at end) as at
  from (
    select id, at, operator, path from audit where tenant = $1 and id >= $2 and id < $3 order by id desc limit ${LOOKED_THROUGH}
  ) as newest`;

/** After every identifier. */
const AFTER_ALL = 'g';

type Newest = { readonly entries: number; readonly first: string | null; readonly at: number | null };

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
      return isLookedThrough(filter) ? readPages(sql, filter) : (await readNewest(sql, filter, null)).map(toEntry);
    },
    page: (filter, olderThan) => readPage(sql, filter, olderThan),
    async environmentChangedAt(tenant, since) {
      for (let before = AFTER_ALL; ; ) {
        const found: Newest | null = await sql.get<Newest>(ENVIRONMENT_CHANGED, [tenant, firstDocUidAt(since), before]);
        if (found === null || found.at !== null) return found?.at ?? null;
        if (found.entries < LOOKED_THROUGH || found.first === null) return null;
        before = found.first;
      }
    },
  };
}

/** No index leads to the entries of a key. */
function isLookedThrough({ keyId, docUid }: AuditFilter): boolean {
  return keyId !== null && docUid === null;
}

async function readPages(sql: Sql, filter: AuditFilter): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let older: DocUid | null = null; ; ) {
    const page: AuditPage = await readPage(sql, { ...filter, limit: filter.limit - entries.length }, older);
    for (const entry of page.entries) entries.push(entry);
    if (page.next === null || entries.length >= filter.limit) return entries;
    older = page.next;
  }
}

async function readPage(sql: Sql, filter: AuditFilter, olderThan: DocUid | null): Promise<AuditPage> {
  const floor = await oldestOfPage(sql, filter, olderThan);
  const rows = await readNewest(sql, { ...filter, limit: filter.limit + 1 }, olderThan, floor);
  const shown = rows.slice(0, filter.limit);
  const next = rows.length > filter.limit ? (shown.at(-1)?.id ?? null) : floor;
  return { entries: shown.map(toEntry), next: next as DocUid | null };
}

/**
 * Of a key the entries of its tenant are looked through, so many for a page. The identifier from which on; null where these are the last, or
 * an index leads to what is asked for.
 */
async function oldestOfPage(sql: Sql, filter: AuditFilter, olderThan: DocUid | null): Promise<string | null> {
  if (!isLookedThrough(filter)) return null;
  const [tenant] = await tenantsToRead(sql, filter);
  if (tenant === undefined) return null;
  const range = { oldest: filter.since === null ? '' : firstDocUidAt(filter.since), olderThan };
  const { texts, values } = conditionsOf({ ...filter, keyId: null }, range);
  const text = `select id from audit where ${texts.join(' and ')} order by id desc limit 1 offset ${LOOKED_THROUGH}`;
  return (await sql.get<{ readonly id: string }>(text, [tenant, ...values]))?.id ?? null;
}

/**
 * Every index begins with the tenant, so the newest entries are read for each tenant and merged. What is older than those that were found so
 * far is not read: with thousands of tenants it would be nearly all.
 */
async function readNewest(
  sql: Sql,
  filter: AuditFilter,
  olderThan: DocUid | null,
  floor: string | null = null,
): Promise<readonly AuditRow[]> {
  let found: AuditRow[] = [];
  let oldest = floor ?? (filter.since === null ? '' : firstDocUidAt(filter.since));
  const tenants = await tenantsToRead(sql, filter);
  const atOnce = sql.takesLists ? TENANTS_PER_STATEMENT : 1;
  for (let first = 0; first < tenants.length; first += atOnce) {
    const rows = await readTenants(sql, tenants.slice(first, first + atOnce), filter, { oldest, olderThan });
    for (const row of rows) found.push(row);
    if (found.length < 2 * filter.limit) continue;
    found = newestOf(found, filter.limit);
    oldest = found.at(-1)?.id ?? oldest;
  }
  return newestOf(found, filter.limit);
}

function newestOf(rows: readonly AuditRow[], limit: number): AuditRow[] {
  return rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}

async function tenantsToRead(sql: Sql, { tenant, keyId }: AuditFilter): Promise<readonly string[]> {
  if (tenant !== null) return [tenant];
  if (keyId === null) {
    const rows = await sql.all<{ tenant: string }>(TENANTS_WITH_ENTRIES, []);
    return [NO_TENANT, ...rows.map((row) => row.tenant)];
  }
  // No index leads to the entries of a key, so all of a tenant are looked through: only those of its own can have them.
  const rows = await sql.all<{ tenant: string }>('select tenant from api_key where key_id = $1', [keyId]);
  return rows.map((row) => row.tenant);
}

/** Of identifiers. */
type Range = { readonly oldest: string; readonly olderThan: DocUid | null };

/** What is asked for of a tenant, which is the first parameter. */
function conditionsOf({ keyId, docUid, until }: AuditFilter, { oldest, olderThan }: Range) {
  const conditions: (readonly [string, SqlValue])[] = [];
  if (keyId !== null) conditions.push(['key_id =', keyId]);
  if (docUid !== null) conditions.push(['doc_uid =', docUid]);
  if (oldest !== '') conditions.push(['id >=', oldest]);
  if (until !== null) conditions.push(['id <', firstDocUidAt(until + 1)]);
  if (olderThan !== null) conditions.push(['id <', olderThan]);
  return {
    texts: ['tenant = $1', ...conditions.map(([text], index) => `${text} $${index + 2}`)],
    values: conditions.map(([, value]) => value),
  };
}

function readTenants(
  sql: Sql,
  tenants: readonly string[],
  filter: AuditFilter,
  range: Range,
): Promise<readonly AuditRow[]> {
  const { texts, values } = conditionsOf(filter, range);
  // SQLite would read all entries of the tenant, from the newest on.
  const index = filter.docUid === null ? '' : '/*sqlite indexed by audit_by_document */ ';
  const newest = `order by id desc limit ${Math.trunc(filter.limit)}`;
  const query = {
    text: `select ${COLUMNS} from audit ${index}where ${texts.join(' and ')} ${newest}`,
    types: texts.map((): ColumnType => 'text'),
  };
  return queryAll<AuditRow>(
    sql,
    query,
    tenants.map((tenant) => [tenant, ...values]),
    newest,
  );
}
