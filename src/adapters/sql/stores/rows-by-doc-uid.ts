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

/** Documents that one statement looks through at most: of a taxpayer with many millions, all of them take longer than a statement may. */
const WINDOW_ROWS = 1_000;
/** After every identifier. */
const END = '\u{10ffff}';

/** Some documents of a tenant, by a condition on their identifiers, whose parameters are the second and the third. */
export type Window = { readonly within: string; readonly bounds: readonly [string, string] };

const FORWARD = { within: 'id > $2 and id <= $3', beyond: 'id > $2 order by id', beginning: '', end: END };
const BACKWARD = { within: 'id < $2 and id >= $3', beyond: 'id < $2 order by id desc', beginning: END, end: '' };

/** All documents of one side of a tenant, window by window: in the order of their identifiers from behind the given one on, or back from the last. */
export async function* windows(
  sql: Sql,
  side: 'outbound' | 'inbound',
  tenant: Edb,
  { after = '', isBackward = false }: { readonly after?: string; readonly isBackward?: boolean } = {},
): AsyncGenerator<Window> {
  const { within, beyond, beginning, end } = isBackward ? BACKWARD : FORWARD;
  const text = `select id from ${side} where tenant = $1 and ${beyond} limit 1 offset ${WINDOW_ROWS - 1}`;
  let from = isBackward ? beginning : after;
  for (;;) {
    const last = await sql.get<{ readonly id: string }>(text, [tenant, from]);
    yield { within, bounds: [from, last?.id ?? end] };
    if (last === null) return;
    from = last.id;
  }
}
