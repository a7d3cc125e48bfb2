import type {
  DocumentMark,
  InboundSearch,
  ListedInbound,
} from '../../../../application/ports/storage/search/document-search-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import { type DocUid, firstDocUidAt } from '../../../../domain/documents/doc-uid.ts';
import type { Sql } from '../../engine.ts';
import { ALL_PARTNERS } from '../../list-index/list-index.ts';
import { NOT_IMPORTED } from '../inbound-store.ts';
import { apart, conditions } from './conditions.ts';
import { type PartnerSearch, partnerSearches } from './partner-searches.ts';

type Row = {
  readonly tenant: Edb;
  readonly id: DocUid;
  readonly document_number: string | null;
  readonly sender_edb: string | null;
  readonly sender_name: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly original_sha256: Uint8Array;
  readonly same_as: string;
  readonly authority_status: string | null;
  readonly received_at: number;
  readonly acked_at: number | null;
  readonly archived_at: number | null;
};

const COLUMNS = `inbound.tenant, id, document_number, sender_edb, sender_name, amount, currency, original_sha256, same_as,
  authority_status, received_at, acked_at, archived_at`;

/** So begins what keeps an arrival of the authority from being stored twice; its EUID follows. */
const EUID = 'euid:';

/** Each as its index has it; that of numbers holds their first 60 characters. */
const MARKS: Readonly<Record<DocumentMark['by'], string>> = {
  docUid: 'inbound.tenant = tenant.edb and id = ?',
  documentNumber: 'substr(document_number, 1, 60) = substr(?, 1, 60) and document_number = ?',
  euid: 'inbound.tenant = tenant.edb and same_as = ?',
  sha256: 'original_sha256 = ?',
};

/** An EUID is part of an index that begins with the tenant: each tenant is looked up in it. */
const FROM: Readonly<Record<DocumentMark['by'], string>> = {
  docUid: 'from tenant cross join inbound',
  documentNumber: 'from inbound',
  euid: 'from tenant cross join inbound',
  sha256: 'from inbound',
};

/** What a tenant has not imported, of all partners or of one, as its list has it. */
const FROM_LIST = 'from listing cross join inbound';
const LISTED = `list = 'inbound' and scope = ? and state = ${NOT_IMPORTED} and inbound.tenant = listing.tenant
  and inbound.id = listing.doc_uid`;

type SearchOfPartner = InboundSearch & Pick<PartnerSearch, 'except'>;

/** With several forms of a number one search for each: an index holds the documents of one in the order of time. */
export async function searchInbound(sql: Sql, search: InboundSearch, limit: number): Promise<readonly ListedInbound[]> {
  const isOfLists = search.onlyNotImported && search.mark === null;
  const partners = await partnerSearches(sql, 'inbound', search);
  const find = isOfLists ? searchLists : searchPartner;
  const found = await Promise.all(partners.map((partner) => find(sql, { ...search, ...partner }, limit)));
  return newestOf(found.flat(), limit).map(toListed);
}

/** List by list: nearly all documents are imported, and to look through those of all tenants takes longer than a statement may. */
async function searchLists(sql: Sql, search: SearchOfPartner, limit: number): Promise<readonly Row[]> {
  if (search.tenant !== null) return searchPartner(sql, search, limit);
  const tenants = await sql.all<{ readonly edb: Edb }>('select edb from tenant order by edb', []);
  let found: readonly Row[] = [];
  for (const { edb } of tenants) {
    if (search.except.includes(edb)) continue;
    const rows = await searchPartner(sql, { ...search, tenant: edb, except: [] }, limit);
    found = newestOf([...found, ...rows], limit);
  }
  return found;
}

function newestOf(rows: readonly Row[], limit: number): readonly Row[] {
  return rows.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}

function searchPartner(sql: Sql, search: SearchOfPartner, limit: number): Promise<readonly Row[]> {
  const { tenant, except, partner, mark, since, until, olderThan, onlyNotImported } = search;
  const where = conditions();
  where.add('inbound.doc_uid is not null');
  if (mark !== null) {
    const value = mark.by === 'euid' ? `${EUID}${mark.value.toLowerCase()}` : mark.value;
    where.add(MARKS[mark.by], value, value);
  }
  const from = fromOf(search);
  const isList = from === FROM_LIST;
  const [table, id] = isList ? ['listing', 'listing.doc_uid'] : ['inbound', 'id'];
  if (isList) where.add(LISTED, partner ?? ALL_PARTNERS);
  if (tenant !== null) where.add(`${table}.tenant = ?`, tenant);
  if (except.length > 0) where.add(`inbound.tenant not in (${except.map(() => '?').join()})`, ...except);
  if (partner !== null) where.add('sender_edb = ?', partner);
  if (since !== null) where.add(`${id} >= ?`, firstDocUidAt(since));
  if (until !== null) where.add(`${id} < ?`, firstDocUidAt(until + 1));
  if (olderThan !== null) where.add(`${id} < ?`, olderThan);
  if (onlyNotImported) where.add('acked_at is null');
  const found = `select ${COLUMNS} ${from} where ${where.text()}`;
  return sql.all<Row>(
    `${mark === null ? found : apart(found)} order by ${id} desc limit ${where.place(limit)}`,
    where.parameters(),
  );
}

/** By what is rare: with a tenant SQLite would read all of its documents. */
function fromOf({ tenant, partner, mark, onlyNotImported }: InboundSearch): string {
  if (mark !== null) return FROM[mark.by];
  if (tenant !== null && onlyNotImported) return FROM_LIST;
  return partner === null ? 'from inbound' : 'from inbound /*sqlite indexed by inbound_by_partner*/';
}

function toListed(row: Row): ListedInbound {
  return {
    tenant: row.tenant,
    docUid: row.id,
    documentNumber: row.document_number,
    senderEdb: row.sender_edb,
    senderName: row.sender_name,
    amount: row.amount,
    currency: row.currency,
    sha256: row.original_sha256,
    euid: row.same_as.startsWith(EUID) ? row.same_as.slice(EUID.length) : null,
    authorityStatus: row.authority_status,
    receivedAt: row.received_at,
    ackedAt: row.acked_at,
    archivedAt: row.archived_at,
  };
}
