import type { Random } from '../../../../application/ports/platform.ts';
import type { StoredDocument } from '../../../../application/ports/storage/lists.ts';
import type { NewOutbound } from '../../../../application/ports/storage/outbound-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import { type DocUid, docUidTime, nextDocUid } from '../../../../domain/documents/doc-uid.ts';
import { OUTBOUND_STATUS } from '../../../../domain/documents/outbound-status.ts';
import type { Sql, SqlValue } from '../../engine.ts';
import { addToLists, type ListHeads, newestOf, readListHeads } from '../../list-index/list-index.ts';
import { rememberPartners } from '../../list-index/partner-numbers.ts';
import { type Insertion, insertRows } from '../../row-lists.ts';
import { storeContents } from '../content.ts';

type TenantDocument = { readonly tenant: Edb; readonly document: NewOutbound };

type PlacedDocument = TenantDocument & StoredDocument;

const OUTBOUND: Insertion = {
  table: 'outbound',
  columns: {
    tenant: 'text',
    id: 'text',
    doc_uid: 'text',
    status: 'bigint',
    kind: 'text',
    type_code: 'text',
    document_number: 'text',
    partner_edb: 'text',
    partner_name: 'text',
    amount: 'text',
    currency: 'text',
    issue_date: 'text',
    supplier_tax_number: 'text',
    ubl_sha256: 'bytea',
    pdf_sha256: 'bytea',
    software: 'text',
    created_at: 'bigint',
    due_at: 'bigint',
    request_id: 'text',
    traceparent: 'text',
  },
};

const HISTORY: Insertion = {
  table: 'outbound_history',
  columns: { tenant: 'text', doc_uid: 'text', ordinal: 'bigint', status: 'bigint', at: 'bigint' },
};

/** Stores one document in status 10, with its first history row and as the newest of its lists. */
export async function addOutbound(
  sql: Sql,
  random: Random,
  added: TenantDocument,
  now: number,
): Promise<StoredDocument> {
  const heads = await readListHeads(sql, 'outbound', [{ tenant: added.tenant, partner: added.document.partnerEdb }]);
  const placed = createPlacing(random, heads, now)(added);
  await storeOutbound(sql, heads, [placed], now);
  return { docUid: placed.docUid, at: placed.at };
}

/** Gives one document after another the identifier that follows the newest of its tenant. */
export function createPlacing(random: Random, heads: ListHeads, now: number) {
  const last = new Map<Edb, DocUid>();
  return <Document extends TenantDocument>(document: Document): Document & StoredDocument => {
    const { tenant } = document;
    const docUid = nextDocUid(now, last.get(tenant) ?? newestOf(heads, tenant, 'outbound'), random.bytes(10));
    last.set(tenant, docUid);
    return { ...document, docUid, at: docUidTime(docUid) };
  };
}

/** Stores documents in status 10, each with its files, its first history row and as the newest of its lists. */
export async function storeOutbound(
  sql: Sql,
  heads: ListHeads,
  documents: readonly PlacedDocument[],
  now: number,
): Promise<void> {
  const { received } = OUTBOUND_STATUS;
  const listed = documents.map(({ tenant, document, docUid }) => ({
    tenant,
    partner: document.partnerEdb,
    country: document.facts.recipient.country,
    docUid,
    state: received,
  }));
  await Promise.all([
    storeContents(
      sql,
      documents.map(({ tenant, document }) => ({ tenant, files: [document.ubl, document.pdf] })),
    ),
    insertRows(
      sql,
      OUTBOUND,
      documents.map((document) => outboundRow(document, now)),
    ),
    insertRows(
      sql,
      HISTORY,
      documents.map(({ tenant, docUid, at }) => [tenant, docUid, 1, received, at]),
    ),
    addToLists(sql, 'outbound', heads, listed),
    rememberPartners(sql, 'outbound', listed),
  ]);
}

function outboundRow({ tenant, document, docUid, at }: PlacedDocument, now: number): readonly SqlValue[] {
  const { facts, origin } = document;
  return [
    tenant,
    docUid,
    docUid,
    OUTBOUND_STATUS.received,
    facts.kind,
    facts.typeCode,
    facts.documentNumber,
    document.partnerEdb,
    facts.recipient.name,
    facts.amount,
    facts.currency,
    facts.issueDate,
    facts.supplier.taxNumber,
    document.ubl.sha256,
    document.pdf?.sha256 ?? null,
    document.software,
    at,
    // Not from the identifier: after an hour with a wrong clock its time is an hour ahead.
    now + document.holdMs,
    origin?.requestId ?? null,
    origin?.traceparent ?? null,
  ];
}
