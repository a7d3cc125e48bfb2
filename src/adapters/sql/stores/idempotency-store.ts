import type { IdempotencyRecord, IdempotencyStore } from '../../../application/ports/storage/idempotency-store.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { Sql } from '../engine.ts';

type Row = { readonly content_sha256: Uint8Array; readonly doc_uid: DocUid; readonly received_at: number };

export function idempotencyStore(sql: Sql): IdempotencyStore {
  return {
    async find(key, now): Promise<IdempotencyRecord | null> {
      const row = await sql.get<Row>(
        `select content_sha256, doc_uid, received_at from idempotency_record
         where tenant = $1 and software = $2 and idempotency_sha256 = $3 and expires_at > $4`,
        [key.tenant, key.software, key.idempotencyKey, now],
      );
      if (row === null) return null;
      return { contentSha256: row.content_sha256, docUid: row.doc_uid, receivedAt: row.received_at };
    },
    async save(key, record, expiresAt, now) {
      const changed = await sql.run(
        `insert into idempotency_record (tenant, software, idempotency_sha256, content_sha256, doc_uid, received_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (tenant, software, idempotency_sha256) do update
         set content_sha256 = excluded.content_sha256, doc_uid = excluded.doc_uid,
             received_at = excluded.received_at, expires_at = excluded.expires_at
         where idempotency_record.expires_at <= $8`,
        [
          key.tenant,
          key.software,
          key.idempotencyKey,
          record.contentSha256,
          record.docUid,
          record.receivedAt,
          expiresAt,
          now,
        ],
      );
      return changed === 1;
    },
    deleteExpired: (now, limit) =>
      sql.run(
        `with expired as materialized (
           select tenant, software, idempotency_sha256 from idempotency_record where expires_at <= $1 order by expires_at limit $2
           /*postgres for update skip locked*/
         )
         delete from idempotency_record where (tenant, software, idempotency_sha256) in (
           select tenant, software, idempotency_sha256 from expired)`,
        [now, limit],
      ),
  };
}
