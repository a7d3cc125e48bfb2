import type { ArchivedPlace } from '../../../../application/ports/recovery/stored-bytes.ts';
import type { ArchiveSide } from '../../../../application/ports/storage/archive-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import { INBOUND_REPRESENTATIONS } from '../../../../domain/documents/inbound-document.ts';
import { OUTBOUND_REPRESENTATIONS } from '../../../../domain/documents/outbound-document.ts';
import type { Sql } from '../../engine.ts';

type Row = { readonly tenant: Edb; readonly id: DocUid; readonly created_at: number } & Readonly<
  Record<string, Uint8Array | string | number | null>
>;

const PAGE_ROWS = 1_000;
const SIDES = {
  outbound: { created: 'created_at', representations: OUTBOUND_REPRESENTATIONS },
  inbound: { created: 'received_at', representations: INBOUND_REPRESENTATIONS },
} as const;

/**
 * Of every archived document, in the order of tenant and identifier, the files that are not in the database. A page is of so many documents,
 * archived or not: with few that are, one statement would look through nearly all.
 */
export async function archivedFiles(sql: Sql, side: ArchiveSide, after: ArchivedPlace | null) {
  const { created, representations } = SIDES[side];
  const columns = representations.map((name) => {
    const sha256 = `${side}.${name}_sha256`;
    const isStored = `exists (select 1 from content where content.tenant = ${side}.tenant and content.sha256 = ${sha256})`;
    return `case when archived_at is null or ${isStored} then null else ${sha256} end as ${name}`;
  });
  const rows = await sql.all<Row>(
    `select tenant, id, ${created} as created_at, ${columns.join(', ')} from ${side}
     where (tenant, id) > ($1, $2) order by tenant, id limit $3`,
    [after?.tenant ?? '', after?.id ?? '', PAGE_ROWS],
  );
  const last = rows.at(-1);
  const files = rows.flatMap(({ tenant, id, created_at: createdAt, ...row }) =>
    representations.flatMap((representation) => {
      const value = row[representation];
      if (!(value instanceof Uint8Array)) return [];
      return [{ tenant, side, id, createdAt, representation, sha256: Buffer.from(value).toString('hex') }];
    }),
  );
  return { files, last: rows.length < PAGE_ROWS || last === undefined ? null : { tenant: last.tenant, id: last.id } };
}
