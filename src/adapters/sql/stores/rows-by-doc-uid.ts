import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { Sql } from '../engine.ts';

/** The rows of one list page, in the page's order. */
export async function rowsByDocUid<Row extends { readonly doc_uid: DocUid }>(
  sql: Sql,
  tenant: Edb,
  table: 'outbound' | 'inbound',
  columns: string,
  docUids: readonly DocUid[],
): Promise<readonly Row[]> {
  const last = docUids.at(-1);
  if (last === undefined) return [];
  // Padded to a power of two by repeating the last identifier: ten prepared statements instead of five hundred.
  const width = 2 ** Math.ceil(Math.log2(docUids.length));
  const wanted = Array.from({ length: width }, (_, index) => docUids[index] ?? last);
  const placeholders = wanted.map((_, index) => `$${index + 2}`).join();
  const rows = await sql.all<Row>(`select ${columns} from ${table} where tenant = $1 and id in (${placeholders})`, [
    tenant,
    ...wanted,
  ]);
  const found = new Map(rows.map((row) => [row.doc_uid, row]));
  return docUids.flatMap((docUid) => found.get(docUid) ?? []);
}
