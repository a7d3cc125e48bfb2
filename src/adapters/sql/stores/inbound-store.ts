import type { Random } from '../../../application/ports/platform.ts';
import type {
  InboundFile,
  InboundFilter,
  InboundStore,
  NewInbound,
} from '../../../application/ports/storage/inbound-store.ts';
import type { StoredDocument } from '../../../application/ports/storage/lists.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { AuthorityStatus } from '../../../domain/documents/authority-status.ts';
import { type DocUid, docUidTime, nextDocUid } from '../../../domain/documents/doc-uid.ts';
import type {
  InboundDocument,
  InboundRepresentation,
  InboundSummary,
} from '../../../domain/documents/inbound-document.ts';
import { type PageRequest, pageOffset } from '../../../domain/values/page.ts';
import type { Sql } from '../engine.ts';
import { addToLists, newestOf, readListHeads, updateListState } from '../list-index/list-index.ts';
import { readListPage } from '../list-index/list-page.ts';
import { rememberPartners } from '../list-index/partner-numbers.ts';
import { queryEach, type RowQuery } from '../row-lists.ts';
import { storeContent, storedFormats, undamaged } from './content.ts';
import { rowsByDocUid } from './rows-by-doc-uid.ts';
import { lockTenant } from './tenant-lock.ts';

/** The states of the list of inbound documents. */
export const NOT_IMPORTED = 0;
const IMPORTED = 1;

type SummaryRow = {
  readonly doc_uid: DocUid;
  readonly received_at: number;
  readonly sender_name: string | null;
  readonly sender_edb: string | null;
  readonly acked_at: number | null;
};

type StatusRow = { readonly authority_status: string | null; readonly authority_status_name: string | null };

type DocumentRow = SummaryRow & {
  readonly document_number: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
} & StatusRow;

/** So begins the key of a file that is known by nothing but its bytes: it is one that is there already, also where that came from the authority. */
const BY_BYTES = 'sha256:';

const SUMMARY_COLUMNS = 'doc_uid, received_at, sender_name, sender_edb, acked_at';

const FILE_COLUMNS: Record<InboundRepresentation, string> = {
  original: 'original_sha256',
  ubl: 'ubl_sha256',
  pdf: 'pdf_sha256',
};

export function inboundStore(sql: Sql, random: Random): InboundStore {
  return {
    add: (tenant, document, now) => add(sql, random, tenant, document, now),
    find: (tenant, docUid) => find(sql, tenant, docUid),
    known: (tenant, keys) => known(sql, tenant, keys),
    recordAuthorityStatus: (tenant, key, change) => recordAuthorityStatus(sql, tenant, key, change),
    list(tenant, filter, page) {
      lockTenant(sql, tenant, 'inbound');
      return sql.snapshot((snapshot) => list(snapshot, tenant, filter, page));
    },
    formats: (tenant, docUid) => storedFormats(sql, 'inbound', FILE_COLUMNS, tenant, docUid),
    file: (tenant, docUid, representation) => file(sql, tenant, docUid, representation),
    acknowledge: (tenant, docUid, at) => acknowledge(sql, tenant, docUid, at),
  };
}

async function add(sql: Sql, random: Random, tenant: Edb, document: NewInbound, now: number) {
  const place = { tenant, partner: document.senderEdb };
  const heads = await readListHeads(sql, 'inbound', [place]);
  const same = document.deduplicationKey.startsWith(BY_BYTES) ? await findByBytes(sql, tenant, document) : null;
  if (same !== null) {
    // The archive has the bytes of what is archived.
    if (same.archived_at === null) await storeContent(sql, tenant, document.original);
    return { stored: { docUid: same.id, at: same.received_at }, isNew: false };
  }
  const docUid = nextDocUid(now, newestOf(heads, tenant, 'inbound'), random.bytes(10));
  const at = docUidTime(docUid);
  const inserted = await sql.run(
    `insert into inbound (tenant, id, doc_uid, same_as, file_name, sender_name, sender_edb, document_number, amount,
       currency, original_sha256, ubl_sha256, pdf_sha256, received_at,
       authority_status, authority_status_name)
     values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     on conflict (tenant, same_as) do nothing`,
    [
      tenant,
      docUid,
      document.deduplicationKey,
      document.fileName,
      document.senderName,
      document.senderEdb,
      document.documentNumber,
      document.amount,
      document.currency,
      document.original.sha256,
      document.ubl?.sha256 ?? null,
      document.pdf?.sha256 ?? null,
      at,
      document.authorityStatus?.code ?? null,
      document.authorityStatus?.name ?? null,
    ],
  );
  if (inserted === 0)
    return { stored: await findByDeduplicationKey(sql, tenant, document.deduplicationKey), isNew: false };
  await Promise.all([
    ...[document.original, document.ubl, document.pdf].map((part) => storeContent(sql, tenant, part)),
    addToLists(sql, 'inbound', heads, [{ ...place, docUid, state: NOT_IMPORTED }]),
    rememberPartners(sql, 'inbound', [{ ...place, country: document.senderCountry }]),
  ]);
  return { stored: { docUid, at }, isNew: true };
}

/** One by one: for a list of keys SQLite would read all documents of the tenant. */
const KNOWN: RowQuery = {
  text: 'select same_as, authority_status, authority_status_name from inbound where tenant = $1 and same_as = $2',
  types: ['text', 'text'],
};

async function known(
  sql: Sql,
  tenant: Edb,
  keys: readonly string[],
): Promise<ReadonlyMap<string, AuthorityStatus | null>> {
  const rows = await queryEach<StatusRow & { same_as: string }>(
    sql,
    KNOWN,
    keys.map((key) => [tenant, key]),
  );
  return new Map(rows.flatMap((row) => (row === null ? [] : [[row.same_as, toStatus(row)] as const])));
}

async function recordAuthorityStatus(
  sql: Sql,
  tenant: Edb,
  key: string,
  { from, to, at }: Parameters<InboundStore['recordAuthorityStatus']>[2],
): Promise<boolean> {
  const changed = await sql.run(
    `update inbound set authority_status = $3, authority_status_name = $4, changed_at = $6
     where tenant = $1 and same_as = $2 and coalesce(authority_status, '') = $5`,
    [tenant, key, to.code, to.name, from?.code ?? '', at],
  );
  return changed === 1;
}

async function findByDeduplicationKey(sql: Sql, tenant: Edb, key: string): Promise<StoredDocument> {
  const row = await sql.get<{ id: DocUid; received_at: number }>(
    'select id, received_at from inbound where tenant = $1 and same_as = $2',
    [tenant, key],
  );
  if (row === null) throw new Error('An inbound document was not inserted, but none has its deduplication key.');
  return { docUid: row.id, at: row.received_at };
}

function findByBytes(sql: Sql, tenant: Edb, { original }: NewInbound) {
  return sql.get<{ readonly id: DocUid; readonly received_at: number; readonly archived_at: number | null }>(
    `select id, received_at, archived_at from inbound /*sqlite indexed by inbound_by_sha256*/
     where original_sha256 = $2 and tenant = $1 and doc_uid is not null order by id limit 1`,
    [tenant, original.sha256],
  );
}

async function find(sql: Sql, tenant: Edb, docUid: DocUid): Promise<InboundDocument | null> {
  const row = await sql.get<DocumentRow>(
    `select ${SUMMARY_COLUMNS}, document_number, amount, currency, authority_status, authority_status_name
     from inbound where tenant = $1 and id = $2 and doc_uid is not null`,
    [tenant, docUid],
  );
  if (row === null) return null;
  return {
    ...toSummary(row),
    documentNumber: row.document_number,
    amount: row.amount,
    currency: row.currency,
    authorityStatus: toStatus(row),
  };
}

async function list(sql: Sql, tenant: Edb, filter: InboundFilter, page: PageRequest) {
  const query = {
    tenant,
    list: 'inbound' as const,
    partner: filter.senderEdb,
    states: filter.onlyNotImported ? [NOT_IMPORTED] : null,
    ...filter.received,
  };
  const { docUids, totalCount } = await readListPage(sql, query, pageOffset(page), page.pageSize);
  const rows = await rowsByDocUid<SummaryRow>(sql, tenant, 'inbound', SUMMARY_COLUMNS, docUids);
  return { items: rows.map(toSummary), totalCount };
}

async function file(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  representation: InboundRepresentation,
): Promise<InboundFile | null> {
  const row = await sql.get<{
    document_number: string | null;
    file_name: string | null;
    sha256: Uint8Array;
    bytes: Uint8Array;
  }>(
    `select document_number, file_name, sha256, bytes from inbound
     join content on content.tenant = inbound.tenant and content.sha256 = inbound.${FILE_COLUMNS[representation]}
     where inbound.tenant = $1 and inbound.id = $2 and inbound.doc_uid is not null`,
    [tenant, docUid],
  );
  if (row === null) return null;
  return { ...undamaged(tenant, row), documentNumber: row.document_number, fileName: row.file_name };
}

async function acknowledge(sql: Sql, tenant: Edb, docUid: DocUid, at: number): Promise<boolean> {
  lockTenant(sql, tenant, 'inbound');
  const row = await sql.get<{ sender_edb: string | null }>(
    // The clock of this process may be behind that of the process that stored the arrival.
    `update inbound set acked_at = case when received_at > $3 then received_at else $3 end
     where tenant = $1 and id = $2 and doc_uid is not null and acked_at is null returning sender_edb`,
    [tenant, docUid, at],
  );
  if (row === null) return false;
  await updateListState(sql, tenant, 'inbound', row.sender_edb, docUid, { from: NOT_IMPORTED, to: IMPORTED });
  return true;
}

function toStatus({ authority_status, authority_status_name }: StatusRow): AuthorityStatus | null {
  return authority_status === null ? null : { code: authority_status, name: authority_status_name };
}

function toSummary(row: SummaryRow): InboundSummary {
  return {
    docUid: row.doc_uid,
    receivedAt: row.received_at,
    senderName: row.sender_name,
    senderEdb: row.sender_edb,
    ackedAt: row.acked_at,
  };
}
