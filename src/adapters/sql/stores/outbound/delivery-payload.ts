import { hash } from 'node:crypto';
import { StoredDamage } from '../../../../application/errors/damage.ts';
import type { PreparedDocument } from '../../../../application/ports/authority.ts';
import type { StoredPayload } from '../../../../application/ports/storage/delivery-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { ConversionWarning } from '../../../../domain/documents/conversion-warning.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { Sql } from '../../engine.ts';

type PayloadRow = {
  readonly doc_type_code: string;
  readonly doc_number: string;
  readonly doc_date: string;
  readonly doc_id: string;
  readonly text: string;
  readonly warnings: string;
  readonly request_timestamp: string | null;
  readonly sent_at: number | null;
  readonly text_sha256: Uint8Array | null;
};

export async function payload(sql: Sql, tenant: Edb, docUid: DocUid): Promise<StoredPayload | null> {
  const row = await sql.get<PayloadRow>(
    `select doc_type_code, doc_number, doc_date, doc_id, text, warnings, request_timestamp, sent_at, text_sha256
     from outbound_payload where tenant = $1 and doc_uid = $2`,
    [tenant, docUid],
  );
  if (row === null) return null;
  if (isPayloadDamaged(row)) throw new StoredDamage(tenant, `payload of ${docUid}`);
  return {
    docTypeCode: row.doc_type_code,
    docNumber: row.doc_number,
    docDate: row.doc_date,
    docId: row.doc_id,
    text: row.text,
    warnings: readWarnings(row.warnings),
    requestTimestamp: row.request_timestamp,
    sentAt: row.sent_at,
  };
}

/** The columns that the checksum covers, and the checksum. */
export type PayloadChecksum = Pick<
  PayloadRow,
  'doc_type_code' | 'doc_number' | 'doc_date' | 'doc_id' | 'text' | 'text_sha256'
>;

/** What was written by an earlier version has no checksum, and is taken as it is. */
export function isPayloadDamaged(row: PayloadChecksum): boolean {
  if (row.text_sha256 === null) return false;
  const { doc_type_code: docTypeCode, doc_number: docNumber, doc_date: docDate, doc_id: docId, text } = row;
  return !checksum({ docTypeCode, docNumber, docDate, docId, text }).equals(row.text_sha256);
}

function checksum({ docTypeCode, docNumber, docDate, docId, text }: PreparedDocument): Buffer {
  return hash('sha256', JSON.stringify([docTypeCode, docNumber, docDate, docId, text]), 'buffer');
}

/** Documents that an earlier version converted have sentences only. */
export function readWarnings(text: string): readonly ConversionWarning[] {
  const stored = JSON.parse(text) as (string | ConversionWarning)[];
  return stored.map((entry) => (typeof entry === 'string' ? { code: 'OTHER', text: entry, path: null } : entry));
}

export async function savePayload(sql: Sql, tenant: Edb, docUid: DocUid, document: StoredPayload): Promise<void> {
  await sql.run(
    `insert into outbound_payload (tenant, doc_uid, doc_type_code, doc_number, doc_date, doc_id, text, warnings,
       request_timestamp, sent_at, text_sha256)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (tenant, doc_uid) do update set doc_type_code = excluded.doc_type_code,
       doc_number = excluded.doc_number, doc_date = excluded.doc_date, doc_id = excluded.doc_id, text = excluded.text,
       warnings = excluded.warnings, request_timestamp = excluded.request_timestamp, sent_at = excluded.sent_at,
       text_sha256 = excluded.text_sha256`,
    [
      tenant,
      docUid,
      document.docTypeCode,
      document.docNumber,
      document.docDate,
      document.docId,
      document.text,
      JSON.stringify(document.warnings),
      document.requestTimestamp,
      document.sentAt,
      checksum(document),
    ],
  );
}

/** Keeps the warnings of a document whose payload is about to be dropped, so that clients can still read them. */
export async function keepWarnings(sql: Sql, tenant: Edb, docUid: DocUid): Promise<void> {
  await sql.run(
    `insert into outbound_warning (tenant, doc_uid, warnings)
     select tenant, doc_uid, warnings from outbound_payload where tenant = $1 and doc_uid = $2 and warnings <> '[]'
     on conflict (tenant, doc_uid) do update set warnings = excluded.warnings`,
    [tenant, docUid],
  );
}

/** In the place of those that are there. */
export async function saveWarnings(
  sql: Sql,
  tenant: Edb,
  docUid: DocUid,
  warnings: readonly ConversionWarning[],
): Promise<void> {
  await sql.run('delete from outbound_warning where tenant = $1 and doc_uid = $2', [tenant, docUid]);
  if (warnings.length === 0) return;
  const values = [tenant, docUid, JSON.stringify(warnings)];
  await sql.run('insert into outbound_warning (tenant, doc_uid, warnings) values ($1, $2, $3)', values);
}

export async function dropPayload(sql: Sql, tenant: Edb, docUid: DocUid): Promise<void> {
  await sql.run('delete from outbound_payload where tenant = $1 and doc_uid = $2', [tenant, docUid]);
}
