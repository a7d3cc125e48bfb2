import { hash } from 'node:crypto';
import { unlessDamaged } from '../../../../application/errors/damage.ts';
import type { ReadBytes, ReadFrom, StoredBytes } from '../../../../application/ports/recovery/stored-bytes.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import { INBOUND_REPRESENTATIONS } from '../../../../domain/documents/inbound-document.ts';
import { OUTBOUND_REPRESENTATIONS } from '../../../../domain/documents/outbound-document.ts';
import type { Sql } from '../../engine.ts';
import { isPayloadDamaged, type PayloadChecksum } from '../outbound/delivery-payload.ts';
import { windows } from '../rows-by-doc-uid.ts';
import { archivedFiles } from './archived-files.ts';
import { withoutFile } from './without-file.ts';

/** The largest documents have ten megabytes each. */
const FILES_AT_ONCE = 8;
const PAYLOADS_AT_ONCE = 100;
const COUNTED_AT_ONCE = 100_000;
const PAYLOAD_COLUMNS = 'doc_type_code, doc_number, doc_date, doc_id, text, text_sha256';

/** Each representation has a column with its SHA-256. */
const REFERENCES = [
  ...OUTBOUND_REPRESENTATIONS.map((name) => ({ side: 'outbound' as const, column: `${name}_sha256` })),
  ...INBOUND_REPRESENTATIONS.map((name) => ({ side: 'inbound' as const, column: `${name}_sha256` })),
];

const SIDES = ['outbound', 'inbound'] as const;

const STRUCTURE = `/*sqlite select integrity_check as problem from pragma_integrity_check */
  /*postgres select 'ok' as problem */`;
const BROKEN_REFERENCES = `/*sqlite select 'a row of ' || "table" || ' refers to one of ' || parent || ' that is not there' as problem
  from pragma_foreign_key_check limit 100 */
  /*postgres select 'ok' as problem */`;

type FileRow = { readonly tenant: Edb; readonly sha256: Uint8Array; readonly bytes: Uint8Array };
type PayloadRow = PayloadChecksum & { readonly tenant: Edb; readonly doc_uid: string };

/** What a database has; one of an earlier version does not have all of it. */
export type Present = {
  readonly hasColumn: (side: 'outbound' | 'inbound', column: string) => boolean;
  readonly hasPayloadChecksums: boolean;
};

const ALL_PRESENT: Present = { hasColumn: () => true, hasPayloadChecksums: true };

export function storedBytes(sql: Sql, present: Present = ALL_PRESENT): StoredBytes {
  const references = REFERENCES.filter(({ side, column }) => present.hasColumn(side, column));
  return {
    async structure() {
      const rows = [
        ...(await sql.all<{ problem: string }>(STRUCTURE, [])),
        ...(await sql.all<{ problem: string }>(BROKEN_REFERENCES, [])),
      ];
      return rows.map(({ problem }) => problem).filter((problem) => problem !== 'ok');
    },
    count: async () => ({
      files: await countRows(sql, 'content', 'sha256'),
      payloads: await countRows(sql, 'outbound_payload', 'doc_uid'),
    }),
    files: (from) =>
      readBatch<FileRow>(sql, from, {
        ...{ table: 'content', key: 'sha256', columns: 'bytes', atOnce: FILES_AT_ONCE },
        keyOf: ({ sha256 }) => Buffer.from(sha256).toString('hex'),
        keyValue: (key) => Buffer.from(key, 'hex'),
        isDamaged: ({ bytes }, key) => hash('sha256', bytes) !== key,
      }),
    async payloads(from) {
      if (!present.hasPayloadChecksums) return [];
      return readBatch<PayloadRow>(sql, from, {
        ...{ table: 'outbound_payload', key: 'doc_uid', columns: PAYLOAD_COLUMNS, atOnce: PAYLOADS_AT_ONCE },
        keyOf: ({ doc_uid }) => doc_uid,
        keyValue: (key) => key,
        isDamaged: isPayloadDamaged,
      });
    },
    async documentsOf(tenant, sha256, limit) {
      const found: DocUid[] = [];
      for (const side of SIDES) {
        const columns = references.flatMap((reference) => (reference.side === side ? reference.column : []));
        found.push(...(await referringTo(sql, { tenant, side, columns }, Buffer.from(sha256, 'hex'), limit)));
      }
      return found.toSorted().slice(0, limit);
    },
    async withoutFile(limit) {
      const found = await Promise.all(
        SIDES.map((side) => {
          const columns = references.flatMap((reference) => (reference.side === side ? reference.column : []));
          return withoutFile(sql, side, columns, limit);
        }),
      );
      return found.flat().toSorted(byPlace).slice(0, limit);
    },
    archivedFiles: (side, after) => archivedFiles(sql, side, after),
  };
}

/** Step by step: one statement for all of a large table takes longer than a statement may. */
async function countRows(sql: Sql, table: string, key: string): Promise<number> {
  type Step = { readonly tenant: Edb; readonly key: string | Uint8Array };
  let place: readonly (string | Uint8Array)[] = [];
  for (let counted = 0; ; counted += COUNTED_AT_ONCE) {
    const rest = `from ${table} ${place.length === 0 ? '' : `where (tenant, ${key}) > ($1, $2)`}`;
    const step: Step | null = await sql.get<Step>(
      `select tenant, ${key} as key ${rest} order by tenant, ${key} limit 1 offset ${COUNTED_AT_ONCE - 1}`,
      place,
    );
    if (step === null) {
      const row = await sql.get<{ readonly rows: number }>(`select count(*) as rows ${rest}`, place);
      return counted + Number(row?.rows ?? 0);
    }
    place = [step.tenant, step.key];
  }
}

type Referring = { readonly tenant: Edb; readonly side: 'outbound' | 'inbound'; readonly columns: readonly string[] };

/** The first documents, not archived, that have the file in one of the columns. */
async function referringTo(sql: Sql, { tenant, side, columns }: Referring, sha256: Uint8Array, limit: number) {
  const found: DocUid[] = [];
  if (columns.length === 0) return found;
  const isOne = columns.map((column) => `${column} = $4`).join(' or ');
  for await (const { within, bounds } of windows(sql, side, tenant)) {
    const text = `select id from ${side} where tenant = $1 and ${within} and archived_at is null and (${isOne}) order by id limit $5`;
    const rows = await sql.all<{ readonly id: DocUid }>(text, [tenant, ...bounds, sha256, limit - found.length]);
    found.push(...rows.map(({ id }) => id));
    if (found.length >= limit) break;
  }
  return found;
}

type Place = { readonly tenant: Edb; readonly docUid: DocUid };

function byPlace(one: Place, other: Place): number {
  if (one.tenant !== other.tenant) return one.tenant < other.tenant ? -1 : 1;
  return one.docUid < other.docUid ? -1 : 1;
}

type Batch<Row> = {
  readonly table: string;
  readonly key: string;
  /** Beside tenant and key. */
  readonly columns: string;
  readonly atOnce: number;
  readonly keyOf: (row: Row) => string;
  readonly keyValue: (key: string) => string | Uint8Array;
  readonly isDamaged: (row: Row, key: string) => boolean;
};

/** Where one of them cannot be read, the index still tells which there are, and the others are read one by one. */
async function readBatch<Row extends { readonly tenant: Edb }>(
  sql: Sql,
  from: ReadFrom,
  { table, key, columns, atOnce, keyOf, keyValue, isDamaged }: Batch<Row>,
): Promise<readonly ReadBytes[]> {
  const [sign, order, start] = 'after' in from ? ['>', 'asc', from.after] : ['<', 'desc', from.before];
  // As one comparison: with `or`, each batch would begin at the first file of the tenant or of all, and not where the last one ended.
  const where = start === null ? '' : `where (tenant, ${key}) ${sign} ($1, $2)`;
  const ordered = `${where} order by tenant ${order}, ${key} ${order} limit ${atOnce}`;
  const place = start === null ? [] : [start.tenant, keyValue(start.key)];
  const judged = (row: Row): ReadBytes => {
    const name = keyOf(row);
    try {
      return { tenant: row.tenant, key: name, isDamaged: isDamaged(row, name) };
    } catch {
      // On a damaged page a value may be of any type, also of one that has no checksum.
      return { tenant: row.tenant, key: name, isDamaged: true };
    }
  };
  const whole = await unlessDamaged(sql.all<Row>(`select tenant, ${key}, ${columns} from ${table} ${ordered}`, place));
  if (whole !== null) return whole.map(judged);
  const batch: ReadBytes[] = [];
  for (const row of await sql.all<Row>(`select tenant, ${key} from ${table} ${ordered}`, place)) {
    const name = keyOf(row);
    const text = `select tenant, ${key}, ${columns} from ${table} where tenant = $1 and ${key} = $2`;
    const read = await unlessDamaged(sql.get<Row>(text, [row.tenant, keyValue(name)]));
    batch.push(read === null ? { tenant: row.tenant, key: name, isDamaged: true } : judged(read));
  }
  return batch;
}
