import type { StoredRepresentation } from '../../../../application/ports/storage/lists.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { OutboundRepresentation } from '../../../../domain/documents/outbound-document.ts';
import type { Sql } from '../../engine.ts';
import { undamaged } from '../content.ts';

export const FILE_COLUMNS: Record<OutboundRepresentation, string> = {
  ubl: 'ubl_sha256',
  pdf: 'pdf_sha256',
  ujp: 'ujp_sha256',
};

export async function outboundFile(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  representation: OutboundRepresentation,
): Promise<StoredRepresentation | null> {
  const row = await sql.get<{ document_number: string | null; sha256: Uint8Array; bytes: Uint8Array }>(
    `select document_number, sha256, bytes from outbound
     join content on content.tenant = outbound.tenant and content.sha256 = outbound.${FILE_COLUMNS[representation]}
     where outbound.tenant = $1 and outbound.id = $2 and outbound.doc_uid is not null`,
    [tenant, docUid],
  );
  return row === null ? null : { ...undamaged(tenant, row), documentNumber: row.document_number };
}
