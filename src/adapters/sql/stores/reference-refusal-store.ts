import type { ReferenceRefusalStore } from '../../../application/ports/storage/reference-refusal-store.ts';
import type { AuthorityEnvironment } from '../../../domain/accounts/tenant.ts';
import type { Sql } from '../engine.ts';

type Row = {
  readonly environment: AuthorityEnvironment;
  readonly doc_type_code: string;
  readonly refused_at: number;
  readonly reason: string;
};

export function referenceRefusalStore(sql: Sql): ReferenceRefusalStore {
  return {
    async list(since) {
      const rows = await sql.all<Row>(
        `select environment, doc_type_code, refused_at, reason from reference_refusal where refused_at >= $1
         order by environment, doc_type_code`,
        [since],
      );
      return rows.map((row) => ({
        environment: row.environment,
        docTypeCode: row.doc_type_code,
        refusedAt: row.refused_at,
        reason: row.reason,
      }));
    },
    async save({ environment, docTypeCode, refusedAt, reason }) {
      await sql.run(
        `insert into reference_refusal (environment, doc_type_code, refused_at, reason) values ($1, $2, $3, $4)
         on conflict (environment, doc_type_code) do update set refused_at = excluded.refused_at, reason = excluded.reason`,
        [environment, docTypeCode, refusedAt, reason],
      );
    },
    async clear(environment, docTypeCode) {
      const text = 'delete from reference_refusal where environment = $1 and doc_type_code = $2';
      return (await sql.run(text, [environment, docTypeCode])) === 1;
    },
  };
}
