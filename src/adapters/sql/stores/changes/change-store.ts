import type { ChangeStore } from '../../../../application/ports/storage/changes/change-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { ChangeKind, DocumentChange } from '../../../../domain/documents/document-change.ts';
import type { DocumentKind } from '../../../../domain/documents/invoice-facts.ts';
import type { AuthorityAnswer } from '../../../../domain/documents/outbound-document.ts';
import type { OutboundStatus } from '../../../../domain/documents/outbound-status.ts';
import type { Sql } from '../../engine.ts';
import { readWarnings } from '../outbound/delivery-payload.ts';

type Row = {
  readonly number: number;
  readonly at: number;
  readonly kind: ChangeKind;
  readonly direction: 'outbound' | 'inbound';
  readonly doc_uid: DocUid;
  readonly status: OutboundStatus;
  readonly failure_code: string | null;
  readonly answer: string | null;
  readonly authority_status: string | null;
  readonly authority_status_name: string | null;
  readonly authority_status_at: number | null;
  readonly warnings: string | null;
  readonly document_kind: DocumentKind;
  readonly created_at: number;
  readonly partner_edb: string | null;
  readonly received_at: number;
  readonly sender_name: string | null;
  readonly sender_edb: string | null;
  readonly document_number: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
};

/** One statement sees the log as of one moment: what it sees of it has no gap, because a number is given after the one before can be seen. */
const READ = `
  select entry.number, entry.at, entry.kind, entry.direction, entry.doc_uid, entry.status, entry.failure_code, entry.answer,
    entry.authority_status, entry.authority_status_name, entry.authority_status_at, entry.warnings,
    outbound.kind as document_kind, outbound.created_at, outbound.partner_edb, inbound.received_at, inbound.sender_name,
    inbound.sender_edb, coalesce(outbound.document_number, inbound.document_number) as document_number,
    coalesce(outbound.amount, inbound.amount) as amount, coalesce(outbound.currency, inbound.currency) as currency
  from document_change entry
  left join outbound on entry.direction = 'outbound' and outbound.tenant = $1 and outbound.id = entry.doc_uid
  left join inbound on entry.direction = 'inbound' and inbound.tenant = $1 and inbound.id = entry.doc_uid
  where entry.tenant = $1 and entry.number >= $2 order by entry.number limit $3`;

/** Before any entry. */
const BEGINNING = Number.MIN_SAFE_INTEGER;

/** Tenants looked up by one statement; the last is repeated to fill it, so that one prepared statement is enough. */
const TENANTS_PER_LOOKUP = 64;

const PLACES = Array.from({ length: TENANTS_PER_LOOKUP }, (_, index) => `$${index + 1}`).join();

/** A look-up for each tenant: grouped, all of their entries would be read. */
const LAST_NUMBERS = `
  select edb, (select max(number) from document_change where document_change.tenant = tenant.edb) as number
  from tenant where edb in (${PLACES})`;

export function changeStore(sql: Sql): ChangeStore {
  return {
    async read(tenant, from, limit) {
      return (await sql.all<Row>(READ, [tenant, from ?? BEGINNING, limit])).map(toChange);
    },
    async lastNumbers(tenants) {
      const numbers = new Map<Edb, number>();
      for (let start = 0; start < tenants.length; start += TENANTS_PER_LOOKUP) {
        const part = tenants.slice(start, start + TENANTS_PER_LOOKUP);
        const wanted = Array.from({ length: TENANTS_PER_LOOKUP }, (_, index) => part[index] ?? part.at(-1) ?? '');
        const rows = await sql.all<{ readonly edb: Edb; readonly number: number | null }>(LAST_NUMBERS, wanted);
        for (const { edb, number } of rows) if (number !== null) numbers.set(edb, number);
      }
      return numbers;
    },
  };
}

function toChange(row: Row): DocumentChange {
  const { number, at, kind, doc_uid: docUid, document_number: documentNumber, amount, currency } = row;
  const entry = { number, at, kind, docUid };
  if (row.direction === 'inbound') {
    return {
      ...entry,
      direction: 'inbound',
      authorityStatus:
        row.authority_status === null ? null : { code: row.authority_status, name: row.authority_status_name },
      facts: {
        receivedAt: row.received_at,
        senderName: row.sender_name,
        senderEdb: row.sender_edb,
        documentNumber,
        amount,
        currency,
      },
    };
  }
  return {
    ...entry,
    direction: 'outbound',
    status: row.status,
    failureCode: row.failure_code,
    ujp: row.answer === null ? null : (JSON.parse(row.answer) as AuthorityAnswer),
    authorityStatusAt: row.authority_status_at,
    warnings: row.warnings === null ? null : readWarnings(row.warnings),
    facts: {
      documentKind: row.document_kind,
      createdAt: row.created_at,
      partnerEdb: row.partner_edb,
      documentNumber,
      amount,
      currency,
    },
  };
}
