import type { ArchivedPlace } from '../../../../application/ports/recovery/stored-bytes.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { Sql } from '../../engine.ts';

type Row = { readonly tenant: Edb; readonly id: DocUid; readonly is_missing: number };

const PAGE_ROWS = 1_000;

/**
 * The first documents of a side that are not archived and refer to files that are not there, in the order of tenant and identifier. Page by
 * page: one statement for all of a large database takes longer than a statement may.
 */
export async function withoutFile(
  sql: Sql,
  side: 'outbound' | 'inbound',
  columns: readonly string[],
  limit: number,
): Promise<readonly { readonly tenant: Edb; readonly docUid: DocUid }[]> {
  const found: { readonly tenant: Edb; readonly docUid: DocUid }[] = [];
  const isMissing = columns.map(
    (column) => `(${column} is not null and not exists (
      select 1 from content where content.tenant = ${side}.tenant and content.sha256 = ${side}.${column}))`,
  );
  const text = `
    select tenant, id, case when archived_at is null and (${isMissing.join(' or ')}) then 1 else 0 end as is_missing
    from ${side} where (tenant, id) > ($1, $2) order by tenant, id limit ${PAGE_ROWS}`;
  let after: ArchivedPlace | null = null;
  while (columns.length > 0) {
    const rows: readonly Row[] = await sql.all<Row>(text, [after?.tenant ?? '', after?.id ?? '']);
    for (const { tenant, id, is_missing } of rows) if (is_missing === 1) found.push({ tenant, docUid: id });
    after = rows.at(-1) ?? null;
    if (rows.length < PAGE_ROWS || found.length >= limit) break;
  }
  return found.slice(0, limit);
}
