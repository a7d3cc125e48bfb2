import { hash } from 'node:crypto';
import type { StoredRepresentation } from '../../../../application/ports/storage/lists.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { OutboundRepresentation } from '../../../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS } from '../../../../domain/documents/outbound-status.ts';
import { signedText } from '../../../../domain/documents/signed-text.ts';
import type { Sql } from '../../engine.ts';

const FILE_COLUMNS: Record<OutboundRepresentation, string> = {
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
  if (row !== null) return { sha256: row.sha256, bytes: row.bytes, documentNumber: row.document_number };
  return representation === 'ujp' ? registeredPayload(sql, tenant, docUid) : null;
}

/** The registered payload as it was signed, served until the authority's container is fetched, and where it supplies none. */
async function registeredPayload(sql: Sql, tenant: Edb, docUid: DocUid): Promise<StoredRepresentation | null> {
  const row = await sql.get<{ document_number: string | null; text: string; request_timestamp: string | null }>(
    `select document_number, text, request_timestamp from outbound
     join outbound_payload on outbound_payload.tenant = outbound.tenant and outbound_payload.doc_uid = outbound.id
     where outbound.tenant = $1 and outbound.id = $2 and outbound.status = $3`,
    [tenant, docUid, OUTBOUND_STATUS.accepted],
  );
  if (row === null || row.request_timestamp === null) return null;
  const bytes = Buffer.from(signedText(row.text, row.request_timestamp));
  return { sha256: hash('sha256', bytes, 'buffer'), bytes, documentNumber: row.document_number };
}
