import type {
  DocumentMark,
  ListedOutbound,
  OutboundSearch,
} from '../../../../application/ports/storage/search/document-search-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import { type DocUid, firstDocUidAt } from '../../../../domain/documents/doc-uid.ts';
import type { DocumentKind } from '../../../../domain/documents/invoice-facts.ts';
import { OUTBOUND_STATUS, type OutboundStatus } from '../../../../domain/documents/outbound-status.ts';
import type { Sql } from '../../engine.ts';
import { ALL_PARTNERS } from '../../list-index/list-index.ts';
import { apart, conditions } from './conditions.ts';
import { type PartnerSearch, partnerSearches } from './partner-searches.ts';

type Row = {
  readonly tenant: Edb;
  readonly id: DocUid;
  readonly status: OutboundStatus;
  readonly kind: DocumentKind;
  readonly document_number: string | null;
  readonly partner_edb: string | null;
  readonly partner_name: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly ubl_sha256: Uint8Array | null;
  readonly euid: string | null;
  readonly failure_code: string | null;
  readonly created_at: number;
  readonly archived_at: number | null;
};

const COLUMNS = `outbound.tenant, id, status, kind, document_number, partner_edb, partner_name, amount, currency, ubl_sha256, euid,
  failure_code, outbound.created_at, archived_at`;

/**
 * Each with the condition of its index. The index of numbers holds their first 60 characters. An EUID stands as the authority wrote it, in
 * small or in large letters, or as it is asked for.
 */
const MARKS: Readonly<Record<DocumentMark['by'], string>> = {
  docUid: 'id = ?',
  documentNumber: 'substr(document_number, 1, 60) = substr(?, 1, 60) and document_number = ?',
  euid: 'euid is not null and euid in (?, lower(?), upper(?))',
  sha256: 'ubl_sha256 = ?',
};

/** The indexes of marks begin with the tenant: each tenant is looked up in them. */
const FROM: Readonly<Record<DocumentMark['by'], string>> = {
  docUid: 'from tenant cross join outbound',
  documentNumber: 'from tenant cross join outbound /*sqlite indexed by outbound_by_number*/',
  euid: 'from tenant cross join outbound /*sqlite indexed by outbound_by_euid*/',
  sha256: 'from tenant cross join outbound /*sqlite indexed by outbound_by_sha256*/',
};

/** A tenant's documents in one status, as its list has them. */
const FROM_LIST = 'from listing cross join outbound';
const LISTED = `list = 'outbound' and scope = '${ALL_PARTNERS}' and state = ? and outbound.tenant = listing.tenant
  and outbound.id = listing.doc_uid`;

/** With several statuses or forms of a number one search for each: an index holds the documents of one in the order of time. */
export async function searchOutbound(
  sql: Sql,
  search: OutboundSearch,
  limit: number,
): Promise<readonly ListedOutbound[]> {
  const statuses = search.statuses ?? [null];
  const partners = await partnerSearches(sql, 'outbound', search);
  const searches = partners.flatMap((partner) => statuses.map((status) => ({ ...search, ...partner, status })));
  const searchAll = (at: Sql) =>
    Promise.all(searches.map(({ status, ...one }) => searchStatus(at, one, status, limit)));
  // A document that moves on between two searches would be found by both of them, or by neither.
  const found = await (searches.length === 1 ? searchAll(sql) : sql.snapshot(searchAll));
  const rows = found.flat().toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return rows.slice(0, limit).map(toListed);
}

type StatusSearch = OutboundSearch & Pick<PartnerSearch, 'except'>;

function searchStatus(
  sql: Sql,
  search: StatusSearch,
  status: OutboundStatus | null,
  limit: number,
): Promise<readonly Row[]> {
  const { tenant, except, partner, mark, since, until, olderThan, failureCode } = search;
  const where = conditions();
  where.add('outbound.doc_uid is not null');
  if (mark !== null) {
    where.add('outbound.tenant = tenant.edb');
    where.add(MARKS[mark.by], mark.value, mark.value, mark.value);
  }
  const from = fromOf(search, status);
  const id = from === FROM_LIST ? 'listing.doc_uid' : 'id';
  if (from === FROM_LIST) where.add(LISTED, status);
  if (tenant !== null) where.add(`${from === FROM_LIST ? 'listing' : 'outbound'}.tenant = ?`, tenant);
  if (except.length > 0) where.add(`outbound.tenant not in (${except.map(() => '?').join()})`, ...except);
  if (partner !== null) where.add('partner_edb = ?', partner);
  if (failureCode !== null) where.add('failure_code is not null and failure_code = ?', failureCode);
  if (since !== null) where.add(`${id} >= ?`, firstDocUidAt(since));
  if (until !== null) where.add(`${id} < ?`, firstDocUidAt(until + 1));
  if (olderThan !== null) where.add(`${id} < ?`, olderThan);
  if (status !== null) where.add(statusCondition(status));
  const found = `select ${COLUMNS} ${from} where ${where.text()}`;
  return sql.all<Row>(
    `${mark === null ? found : apart(found)} order by ${id} desc limit ${where.place(limit)}`,
    where.parameters(),
  );
}

/**
 * By what is rare: with a tenant SQLite would read all of its documents. Its indexes have the tenant as well, so that documents of others are
 * passed over without being read.
 */
function fromOf({ tenant, partner, mark, failureCode }: StatusSearch, status: OutboundStatus | null): string {
  if (mark !== null) return FROM[mark.by];
  if (partner !== null) return 'from outbound /*sqlite indexed by outbound_by_partner*/';
  if (failureCode !== null) return 'from outbound /*sqlite indexed by outbound_by_failure*/';
  return tenant !== null && status !== null ? FROM_LIST : 'from outbound';
}

/** Written out, since the index leaves accepted documents out: they are nearly all there are. */
function statusCondition(status: OutboundStatus): string {
  const { accepted } = OUTBOUND_STATUS;
  return status === accepted ? `status = ${accepted}` : `status = ${status} and status <> ${accepted}`;
}

function toListed(row: Row): ListedOutbound {
  return {
    tenant: row.tenant,
    docUid: row.id,
    status: row.status,
    kind: row.kind,
    documentNumber: row.document_number,
    partnerEdb: row.partner_edb,
    partnerName: row.partner_name,
    amount: row.amount,
    currency: row.currency,
    sha256: row.ubl_sha256,
    euid: row.euid,
    failureCode: row.failure_code,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
  };
}
