import type { Random } from '../../../../application/ports/platform.ts';
import type { StoredDocument } from '../../../../application/ports/storage/lists.ts';
import type {
  NewOutbound,
  OutboundFilter,
  OutboundStore,
} from '../../../../application/ports/storage/outbound-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import { type DocUid, docUidTime, nextDocUid } from '../../../../domain/documents/doc-uid.ts';
import type { DocumentKind } from '../../../../domain/documents/invoice-facts.ts';
import type {
  AuthorityAnswer,
  OutboundDocument,
  OutboundSummary,
} from '../../../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS, type OutboundStatus } from '../../../../domain/documents/outbound-status.ts';
import { type PageRequest, pageOffset } from '../../../../domain/values/page.ts';
import type { Sql } from '../../engine.ts';
import { addToLists, readListHeads } from '../../list-index/list-index.ts';
import { readListPage } from '../../list-index/list-page.ts';
import { rememberPartner } from '../../list-index/partner-numbers.ts';
import { storeContent, storedFormats } from '../content.ts';
import { rowsByDocUid } from '../rows-by-doc-uid.ts';
import { lockTenant } from '../tenant-lock.ts';
import { readWarnings } from './delivery-payload.ts';
import { readSentences } from './failure-sentences.ts';
import { FILE_COLUMNS, outboundFile } from './outbound-file.ts';
import { moveOutbound } from './outbound-move.ts';

type SummaryRow = {
  readonly doc_uid: DocUid;
  readonly status: OutboundStatus;
  readonly created_at: number;
  readonly partner_edb: string | null;
  readonly document_number: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
};

type DocumentRow = SummaryRow & {
  readonly kind: DocumentKind;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  readonly failure_sentences: string | null;
  readonly ujp: string | null;
  readonly software: string;
  readonly warnings: string | null;
};

const SUMMARY_COLUMNS = 'doc_uid, status, created_at, partner_edb, document_number, amount, currency';

export function outboundStore(sql: Sql, random: Random): OutboundStore {
  return {
    add: (tenant, document, now) => add(sql, random, tenant, document, now),
    find: (tenant, docUid) => find(sql, tenant, docUid),
    list(tenant, filter, page) {
      lockTenant(sql, tenant, 'outbound');
      return sql.snapshot((snapshot) => list(snapshot, tenant, filter, page));
    },
    history: (tenant, docUid) => history(sql, tenant, docUid),
    formats: (tenant, docUid) => storedFormats(sql, 'outbound', FILE_COLUMNS, tenant, docUid),
    file: (tenant, docUid, representation) => outboundFile(sql, tenant, docUid, representation),
    move: (tenant, docUid, from, events, record) => moveOutbound(sql, tenant, docUid, from, events, record),
  };
}

async function add(sql: Sql, random: Random, tenant: Edb, document: NewOutbound, now: number): Promise<StoredDocument> {
  const { facts, partnerEdb, software } = document;
  const [ublSha256, pdfSha256, heads] = await Promise.all([
    // Files first, which may take long: readListHeads locks the tenant's list.
    storeContent(sql, tenant, document.ubl),
    storeContent(sql, tenant, document.pdf),
    readListHeads(sql, tenant, 'outbound', partnerEdb),
  ]);
  const docUid = nextDocUid(now, heads[0]?.doc_uid ?? null, random.bytes(10));
  const at = docUidTime(docUid);
  const stored = sql.run(
    `insert into outbound (tenant, id, doc_uid, status, kind, type_code, document_number, partner_edb, partner_name,
       amount, currency, issue_date, supplier_tax_number, ubl_sha256, pdf_sha256, software, created_at, due_at,
       request_id, traceparent)
     values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    [
      tenant,
      docUid,
      OUTBOUND_STATUS.received,
      facts.kind,
      facts.typeCode,
      facts.documentNumber,
      partnerEdb,
      facts.recipient.name,
      facts.amount,
      facts.currency,
      facts.issueDate,
      facts.supplier.taxNumber,
      ublSha256,
      pdfSha256,
      software,
      at,
      // Not from the identifier: after an hour with a wrong clock its time is an hour ahead.
      now + document.holdMs,
      document.origin?.requestId ?? null,
      document.origin?.traceparent ?? null,
    ],
  );
  const begun = sql.run(
    'insert into outbound_history (tenant, doc_uid, ordinal, status, at) values ($1, $2, 1, $3, $4)',
    [tenant, docUid, OUTBOUND_STATUS.received, at],
  );
  const listed = addToLists(sql, tenant, 'outbound', partnerEdb, { docUid, state: OUTBOUND_STATUS.received, heads });
  const remembered = rememberPartner(sql, tenant, 'outbound', partnerEdb, facts.recipient.country);
  await Promise.all([stored, begun, listed, remembered]);
  return { docUid, at };
}

async function find(sql: Sql, tenant: Edb, docUid: DocUid): Promise<OutboundDocument | null> {
  const row = await sql.get<DocumentRow>(
    `select ${SUMMARY_COLUMNS}, kind, failure_code, failure_message, failure_sentences, ujp, software, coalesce(
       (select warnings from outbound_payload where tenant = $1 and outbound_payload.doc_uid = $2),
       (select warnings from outbound_warning where tenant = $1 and outbound_warning.doc_uid = $2)) as warnings
     from outbound where tenant = $1 and id = $2 and doc_uid is not null`,
    [tenant, docUid],
  );
  if (row === null) return null;
  return {
    ...toSummary(row),
    kind: row.kind,
    failureCode: row.failure_code,
    failureMessage: row.failure_message,
    failureSentences: readSentences(row.failure_message, row.failure_sentences),
    ujp: row.ujp === null ? null : (JSON.parse(row.ujp) as AuthorityAnswer),
    software: row.software,
    warnings: row.warnings === null ? [] : readWarnings(row.warnings),
  };
}

async function list(sql: Sql, tenant: Edb, filter: OutboundFilter, page: PageRequest) {
  const query = {
    tenant,
    list: 'outbound' as const,
    partner: filter.partnerEdb,
    states: filter.statuses,
    ...filter.created,
  };
  const { docUids, totalCount } = await readListPage(sql, query, pageOffset(page), page.pageSize);
  const rows = await rowsByDocUid<SummaryRow>(sql, tenant, 'outbound', SUMMARY_COLUMNS, docUids);
  return { items: rows.map(toSummary), totalCount };
}

async function history(sql: Sql, tenant: Edb, docUid: DocUid) {
  const rows = await sql.all<{ status: OutboundStatus; at: number; failure_code: string | null }>(
    'select status, at, failure_code from outbound_history where tenant = $1 and doc_uid = $2 order by ordinal',
    [tenant, docUid],
  );
  return rows.map((row) => ({ status: row.status, at: row.at, failureCode: row.failure_code }));
}

function toSummary(row: SummaryRow): OutboundSummary {
  return {
    docUid: row.doc_uid,
    status: row.status,
    createdAt: row.created_at,
    partnerEdb: row.partner_edb,
    documentNumber: row.document_number,
    amount: row.amount,
    currency: row.currency,
  };
}
