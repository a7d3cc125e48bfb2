import { hash } from 'node:crypto';
import type { ReadBytes, StoredBytes } from '../../../../application/ports/recovery/stored-bytes.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import { INBOUND_REPRESENTATIONS } from '../../../../domain/documents/inbound-document.ts';
import { OUTBOUND_REPRESENTATIONS } from '../../../../domain/documents/outbound-document.ts';
import type { Sql } from '../../engine.ts';
import { isPayloadDamaged, type PayloadChecksum } from '../outbound/delivery-payload.ts';

/** The largest documents have ten megabytes each. */
const FILES_AT_ONCE = 8;
const PAYLOADS_AT_ONCE = 100;

/** Each representation has a column with its SHA-256. */
const REFERENCES = [
  ...OUTBOUND_REPRESENTATIONS.map((name) => ({ side: 'outbound', column: `${name}_sha256` })),
  ...INBOUND_REPRESENTATIONS.map((name) => ({ side: 'inbound', column: `${name}_sha256` })),
];

const STRUCTURE = `/*sqlite select integrity_check as problem from pragma_integrity_check */
  /*postgres select 'ok' as problem */`;

type FileRow = { readonly tenant: Edb; readonly sha256: Uint8Array; readonly bytes: Uint8Array };
type PayloadRow = PayloadChecksum & { readonly tenant: Edb; readonly doc_uid: string };
type Reference = { readonly tenant: Edb; readonly id: DocUid };

export function storedBytes(sql: Sql): StoredBytes {
  return {
    async structure() {
      const rows = await sql.all<{ problem: string }>(STRUCTURE, []);
      return rows.map(({ problem }) => problem).filter((problem) => problem !== 'ok');
    },
    async count() {
      const text = `select (select count(*) from content) as files, (select count(*) from outbound_payload) as payloads`;
      const row = await sql.get<{ files: number; payloads: number }>(text, []);
      return { files: Number(row?.files ?? 0), payloads: Number(row?.payloads ?? 0) };
    },
    async files(after) {
      const rows = await sql.all<FileRow>(
        `select tenant, sha256, bytes from content where tenant > $1 or (tenant = $1 and sha256 > $2)
         order by tenant, sha256 limit ${FILES_AT_ONCE}`,
        [after?.tenant ?? '', Buffer.from(after?.key ?? '', 'hex')],
      );
      return rows.map(({ tenant, sha256, bytes }): ReadBytes => {
        const key = Buffer.from(sha256).toString('hex');
        return { tenant, key, isDamaged: hash('sha256', bytes) !== key };
      });
    },
    async payloads(after) {
      const rows = await sql.all<PayloadRow>(
        `select tenant, doc_uid, doc_type_code, doc_number, doc_date, doc_id, text, text_sha256 from outbound_payload
         where tenant > $1 or (tenant = $1 and doc_uid > $2) order by tenant, doc_uid limit ${PAYLOADS_AT_ONCE}`,
        [after?.tenant ?? '', after?.key ?? ''],
      );
      return rows.map((row) => ({ tenant: row.tenant, key: row.doc_uid, isDamaged: isPayloadDamaged(row) }));
    },
    async documentsOf(tenant, sha256, limit) {
      const parts = REFERENCES.map(
        ({ side, column }) => `select id from ${side} where tenant = $1 and ${column} = $2 and archived_at is null`,
      );
      const text = `select id from (${parts.join(' union ')}) as referring order by id limit $3`;
      const rows = await sql.all<Pick<Reference, 'id'>>(text, [tenant, Buffer.from(sha256, 'hex'), limit]);
      return rows.map(({ id }) => id);
    },
    async withoutFile(limit) {
      const parts = REFERENCES.map(
        ({ side, column }) => `select tenant, id from ${side} where archived_at is null and ${column} is not null
          and not exists (select 1 from content where content.tenant = ${side}.tenant and content.sha256 = ${column})`,
      );
      const text = `select tenant, id from (${parts.join(' union ')}) as referring order by tenant, id limit $1`;
      const rows = await sql.all<Reference>(text, [limit]);
      return rows.map(({ tenant, id: docUid }) => ({ tenant, docUid }));
    },
  };
}
