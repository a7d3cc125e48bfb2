import type { Random } from '../../../../application/ports/platform.ts';
import type { OutboundFilter, OutboundStore } from '../../../../application/ports/storage/outbound-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { DocumentKind } from '../../../../domain/documents/invoice-facts.ts';
import type {
  AuthorityAnswer,
  OutboundDocument,
  OutboundSummary,
} from '../../../../domain/documents/outbound-document.ts';
import type { OutboundStatus } from '../../../../domain/documents/outbound-status.ts';
import { type PageRequest, pageOffset } from '../../../../domain/values/page.ts';
import type { Sql } from '../../engine.ts';
import { readListPage } from '../../list-index/list-page.ts';
import { storedFormats } from '../content.ts';
import { rowsByDocUid } from '../rows-by-doc-uid.ts';
import { lockTenant } from '../tenant-lock.ts';
import { addOutbound } from './add-outbound.ts';
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
    add: (tenant, document, now) => addOutbound(sql, random, { tenant, document }, now),
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
