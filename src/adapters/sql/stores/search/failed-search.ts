import type { DocumentName, FailedSearch } from '../../../../application/ports/storage/search/document-search-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import { OUTBOUND_STATUS } from '../../../../domain/documents/outbound-status.ts';
import type { Sql } from '../../engine.ts';
import { type Conditions, conditions } from './conditions.ts';

/**
 * The last row of its history is when a document failed. From the index of failures on: with a tenant SQLite would read all of its documents, or
 * the histories of all.
 */
const FAILED = 'from outbound /*sqlite indexed by outbound_by_failure*/ cross join outbound_history history';
const LAST_ROW = `history.tenant = outbound.tenant and history.doc_uid = outbound.id and history.ordinal = (
  select max(ordinal) from outbound_history own where own.tenant = outbound.tenant and own.doc_uid = outbound.id)`;

/** After an outage millions may have failed: all of them take longer than a statement may. */
const LOOKED_THROUGH = 1_000;
const END = `select id from outbound /*sqlite indexed by outbound_by_failure*/
  where failure_code is not null and failure_code = $1 and id > $2 order by id limit 1 offset ${LOOKED_THROUGH - 1}`;
const AFTER_ALL = 'g';

export async function countFailed(sql: Sql, search: FailedSearch): Promise<number> {
  let documents = 0;
  for await (const where of parts(sql, search, null)) {
    const row = await sql.get<{ documents: number }>(
      `select cast(count(*) as integer) as documents ${FAILED} where ${where.text()}`,
      where.parameters(),
    );
    documents += row?.documents ?? 0;
  }
  return documents;
}

export async function listFailed(
  sql: Sql,
  search: FailedSearch,
  after: DocUid | null,
  limit: number,
): Promise<readonly DocumentName[]> {
  for await (const where of parts(sql, search, after)) {
    const rows = await sql.all<{ tenant: Edb; id: DocUid }>(
      `select outbound.tenant, outbound.id ${FAILED} where ${where.text()} order by outbound.id limit ${where.place(limit)}`,
      where.parameters(),
    );
    if (rows.length > 0) return rows.map(({ tenant, id }) => ({ tenant, docUid: id }));
  }
  return [];
}

/** The conditions for some of those with the code after the others. */
async function* parts(sql: Sql, search: FailedSearch, after: DocUid | null): AsyncGenerator<Conditions> {
  for (let from: string = after ?? ''; ; ) {
    const end: { readonly id: DocUid } | null = await sql.get<{ readonly id: DocUid }>(END, [search.failureCode, from]);
    const where = failedWhere(search);
    where.add('outbound.id > ?', from);
    where.add('outbound.id <= ?', end?.id ?? AFTER_ALL);
    yield where;
    if (end === null) return;
    from = end.id;
  }
}

function failedWhere({ tenant, failureCode, since, until }: FailedSearch): Conditions {
  const where = conditions();
  where.add('outbound.doc_uid is not null');
  where.add(LAST_ROW);
  where.add(`outbound.status = ${OUTBOUND_STATUS.failed}`);
  where.add('outbound.failure_code is not null and outbound.failure_code = ?', failureCode);
  where.add('history.at <= ?', until);
  if (since !== null) where.add('history.at >= ?', since);
  if (tenant !== null) where.add('outbound.tenant = ?', tenant);
  return where;
}
