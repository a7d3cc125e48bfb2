import type { Submission, SubmissionStore } from '../../application/ports.ts';
import type { DocUid } from '../../domain/doc-uid.ts';
import type { Sql } from './engine.ts';

type Row = { readonly content_sha256: Uint8Array; readonly doc_uid: DocUid; readonly received_at: number };

export function submissionStore(sql: Sql): SubmissionStore {
  return {
    async find(key, now): Promise<Submission | null> {
      const row = await sql.get<Row>(
        `select content_sha256, doc_uid, received_at from submission
         where tenant = $1 and software = $2 and idempotency_sha256 = $3 and forget_at > $4`,
        [key.tenant, key.software, key.idempotencyKey, now],
      );
      if (row === null) return null;
      return { contentSha256: row.content_sha256, docUid: row.doc_uid, receivedAt: row.received_at };
    },
    async remember(key, submission, forgetAt, now) {
      const changed = await sql.run(
        `insert into submission (tenant, software, idempotency_sha256, content_sha256, doc_uid, received_at, forget_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (tenant, software, idempotency_sha256) do update
         set content_sha256 = excluded.content_sha256, doc_uid = excluded.doc_uid,
             received_at = excluded.received_at, forget_at = excluded.forget_at
         where submission.forget_at <= $8`,
        [
          key.tenant,
          key.software,
          key.idempotencyKey,
          submission.contentSha256,
          submission.docUid,
          submission.receivedAt,
          forgetAt,
          now,
        ],
      );
      return changed === 1;
    },
    forgetExpired: (now, limit) =>
      sql.run(
        `with expired as materialized (
           select tenant, software, idempotency_sha256 from submission where forget_at <= $1 order by forget_at limit $2
           /*postgres for update skip locked*/
         )
         delete from submission where (tenant, software, idempotency_sha256) in (
           select tenant, software, idempotency_sha256 from expired)`,
        [now, limit],
      ),
  };
}
