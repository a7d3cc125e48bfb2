import type {
  FoundOutbound,
  OutboundInquiryStore,
  OutboundMark,
} from '../../../../application/ports/storage/outbound/outbound-inquiry-store.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../../../domain/documents/outbound-status.ts';
import type { Sql, SqlValue } from '../../engine.ts';

type Row = {
  readonly id: DocUid;
  readonly status: OutboundStatus;
  readonly created_at: number;
  readonly ubl_sha256: Uint8Array | null;
  readonly archived_at: number | null;
  readonly due_at: number | null;
  readonly is_claimed: number;
};

/**
 * Each with the condition of its partial index, which is used only then. The index of numbers holds their first 60 characters. An EUID stands
 * as the authority wrote it, in small or in large letters.
 */
const CONDITIONS: Readonly<Record<OutboundMark['by'], string>> = {
  documentNumber: `/*sqlite indexed by outbound_by_number*/ where tenant = $1 and doc_uid is not null
    and substr(document_number, 1, 60) = substr($2, 1, 60) and document_number = $2`,
  sha256: `/*sqlite indexed by outbound_by_sha256*/ where tenant = $1 and doc_uid is not null and ubl_sha256 = $2`,
  euid: `/*sqlite indexed by outbound_by_euid*/ where tenant = $1 and euid is not null and euid in ($2, lower($2), upper($2))
    and doc_uid is not null`,
};

export function outboundInquiryStore(sql: Sql): OutboundInquiryStore {
  return {
    async find(tenant, { by, value }, limit) {
      const rows = await sql.all<Row>(
        `select id, status, created_at, ubl_sha256, archived_at, due_at,
           case when lease is null then 0 else 1 end as is_claimed
         from outbound ${CONDITIONS[by]} order by id desc limit $3`,
        [tenant, value satisfies SqlValue, limit],
      );
      return rows.map(toFound);
    },
  };
}

function toFound(row: Row): FoundOutbound {
  return {
    docUid: row.id,
    status: row.status,
    createdAt: row.created_at,
    sha256: row.ubl_sha256,
    archivedAt: row.archived_at,
    dueAt: row.due_at,
    isClaimed: row.is_claimed === 1,
  };
}
