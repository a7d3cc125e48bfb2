import { hash } from 'node:crypto';
import { StoredDamage } from '../../../application/errors/damage.ts';
import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';
import type { FileToStore, StoredFile } from '../../../application/ports/stored-file.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import { toHex } from '../../../domain/values/hex.ts';
import type { Engine, Sql } from '../engine.ts';
import { type Insertion, insertRows } from '../row-lists.ts';

/** From this size on, a file is stored before the transaction that refers to it, which would otherwise delay others. */
const LARGE_BYTES = 262_144;

/** Bytes that come again take the place of those that were damaged meanwhile: whoever refers to the file gets what was stored. */
const REPAIR = `on conflict (tenant, sha256) do update set bytes = excluded.bytes where content.bytes <> excluded.bytes`;
const CONTENT: Insertion = {
  table: 'content',
  columns: { tenant: 'text', sha256: 'bytea', bytes: 'bytea' },
  onConflict: REPAIR,
};
const STORE_LARGE = `insert into content (tenant, sha256, bytes) values ($1, $2, $3) ${REPAIR}`;

/** By the clock of the database, which all processes share. */
const NOW_MS = `/*sqlite cast(strftime('%s', 'now') as integer) * 1000 */
  /*postgres cast(extract(epoch from now()) * 1000 as bigint) */`;

const ANNOUNCE = `insert into stored_ahead (tenant, sha256, stored_at) values ($1, $2, ${NOW_MS})
  on conflict (tenant, sha256) do update set stored_at = excluded.stored_at`;
const REFERRED = 'delete from stored_ahead where tenant = $1 and sha256 = $2';

/** What was stored ahead at least so many milliseconds ago, $1. */
export const STORED_LONG_AGO = `stored_at <= ${NOW_MS} - $1`;

/** The lock keeps the sweep from removing the file before the transaction that refers to it is committed. */
const FIND_AND_LOCK = 'select 1 from content where tenant = $1 and sha256 = $2 /*postgres for key share*/';

/**
 * Stores a large file. If the process dies before a document refers to it, the file is used when it is sent again, and collected
 * after a day otherwise: it is announced first, so that no file is without an announcement or a document.
 */
export async function storeLargeFile(engine: Engine, tenant: Edb, file: StoredFile): Promise<FileToStore> {
  const { sha256, bytes } = file;
  if (bytes.byteLength < LARGE_BYTES) return file;
  await engine.transaction((sql) => sql.run(ANNOUNCE, [tenant, sha256]));
  await engine.runLargeWrite(STORE_LARGE, [tenant, sha256, bytes]);
  return { sha256, bytes: null };
}

/** Stores the bytes of a tenant's file once. */
export async function storeContent(sql: Sql, tenant: Edb, file: FileToStore | null): Promise<void> {
  await storeContents(sql, [{ tenant, files: [file] }]);
}

/** The same for files of several documents, small ones by one statement where the engine can. */
export async function storeContents(
  sql: Sql,
  documents: readonly { readonly tenant: Edb; readonly files: readonly (FileToStore | null)[] }[],
): Promise<void> {
  const files = documents.flatMap(({ tenant, files }) =>
    files.flatMap((file) => (file === null ? [] : [{ tenant, ...file }])),
  );
  const rows = files.flatMap(({ tenant, sha256, bytes }) => (bytes === null ? [] : [[tenant, sha256, bytes] as const]));
  // One statement cannot store the same file twice.
  const distinct = new Map(rows.map((row) => [`${row[0]} ${toHex(row[1])}`, row]));
  await Promise.all([
    insertRows(sql, CONTENT, [...distinct.values()]),
    ...files.filter((file) => !isSmall(file)).map((file) => referTo(sql, file.tenant, file)),
  ]);
}

/** Whether a file is stored by the transaction that refers to it. */
export function isSmall({ bytes }: FileToStore): boolean {
  return bytes !== null && bytes.byteLength < LARGE_BYTES;
}

async function referTo(sql: Sql, tenant: Edb, { sha256, bytes }: FileToStore): Promise<void> {
  if (bytes === null && (await sql.get(FIND_AND_LOCK, [tenant, sha256])) === null) {
    // Only the sweep removes files: it was that of an archived document, or was stored a day ago, and seemed unused until now.
    throw new ServiceUnavailable('The file was removed as unused at the same moment.');
  }
  await sql.run(REFERRED, [tenant, sha256]);
}

/** Databases and disks do not notice every changed bit. Whatever leaves here is what came: other bytes are an error. */
export function undamaged(tenant: Edb, { sha256, bytes }: StoredFile): StoredFile {
  const expected = Buffer.from(sha256).toString('hex');
  if (hash('sha256', bytes) !== expected) {
    throw new StoredDamage(tenant, `file ${expected}`);
  }
  return { sha256, bytes };
}

/** Which files a document has, in the database or in the archive; `columns` has the checksum of each. */
export async function storedFormats<Format extends string>(
  sql: Sql,
  side: 'outbound' | 'inbound',
  columns: Readonly<Record<Format, string>>,
  tenant: Edb,
  docUid: DocUid,
): Promise<readonly Format[]> {
  const names = Object.keys(columns) as Format[];
  const row = await sql.get<Readonly<Record<string, Uint8Array | null>>>(
    `select ${names.map((name) => columns[name]).join(', ')} from ${side}
     where tenant = $1 and id = $2 and doc_uid is not null`,
    [tenant, docUid],
  );
  return names.filter((name) => row?.[columns[name]] != null);
}
