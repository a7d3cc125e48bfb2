import type {
  IdempotencyRecord,
  IdempotencyRecordKey,
  IdempotencyStore,
} from '../../../application/ports/storage/idempotency-store.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { Sql, SqlValue } from '../engine.ts';
import { joinQueries } from '../join-queries.ts';
import { type Insertion, insertRows, queryEach, type RowQuery } from '../row-lists.ts';

const RECORD: Insertion = {
  table: 'idempotency_record',
  columns: {
    tenant: 'text',
    software: 'text',
    idempotency_sha256: 'bytea',
    content_sha256: 'bytea',
    doc_uid: 'text',
    received_at: 'bigint',
    expires_at: 'bigint',
  },
  onConflict: `on conflict (tenant, software, idempotency_sha256) do update
    set content_sha256 = excluded.content_sha256, doc_uid = excluded.doc_uid,
        received_at = excluded.received_at, expires_at = excluded.expires_at
    where idempotency_record.expires_at <= $8`,
};

const FIND: RowQuery = {
  text: `select content_sha256, doc_uid, received_at from idempotency_record
    where tenant = $1 and software = $2 and idempotency_sha256 = $3 and expires_at > $4`,
  types: ['text', 'text', 'bytea', 'bigint'],
};

type NewRecord = IdempotencyRecordKey & IdempotencyRecord & { readonly expiresAt: number };

type Row = { readonly content_sha256: Uint8Array; readonly doc_uid: DocUid; readonly received_at: number };

export function idempotencyStore(sql: Sql): IdempotencyStore {
  const lookUpRecord = joinQueries<Row>(sql, FIND);
  return {
    async find(key, now): Promise<IdempotencyRecord | null> {
      const row = await lookUpRecord(lookUp(key, now));
      if (row === null) return null;
      return { contentSha256: row.content_sha256, docUid: row.doc_uid, receivedAt: row.received_at };
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

/** Stores records, no two of them under the same key; returns those whose key is taken by one that has not expired at `now`. */
export async function saveRecords<Saved extends NewRecord>(
  sql: Sql,
  records: readonly Saved[],
  now: number,
): Promise<readonly Saved[]> {
  const rows = records.map((record) => [
    record.tenant,
    record.software,
    record.idempotencyKey,
    record.contentSha256,
    record.docUid,
    record.receivedAt,
    record.expiresAt,
  ]);
  if ((await insertRows(sql, RECORD, rows, [now])) === records.length) return [];
  const lookUps = records.map((record) => lookUp(record, now));
  const found = await queryEach<Row>(sql, FIND, lookUps);
  return records.filter(({ docUid }, index) => found[index]?.doc_uid !== docUid);
}

function lookUp(key: IdempotencyRecordKey, now: number): readonly SqlValue[] {
  return [key.tenant, key.software, key.idempotencyKey, now];
}
