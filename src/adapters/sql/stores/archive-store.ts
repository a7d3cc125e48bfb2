import { unlessDamaged } from '../../../application/errors/damage.ts';
import type { ArchivedDocument, ArchiveSide, ArchiveStore } from '../../../application/ports/storage/archive-store.ts';
import type { StoredFile } from '../../../application/ports/stored-file.ts';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import { INBOUND_REPRESENTATIONS } from '../../../domain/documents/inbound-document.ts';
import { OUTBOUND_REPRESENTATIONS } from '../../../domain/documents/outbound-document.ts';
import { OUTBOUND_STATUS } from '../../../domain/documents/outbound-status.ts';
import type { Sql, SqlValue } from '../engine.ts';
import { undamaged } from './content.ts';
import { isPayloadDamaged, keepWarnings, type PayloadChecksum } from './outbound/delivery-payload.ts';
import { windows } from './rows-by-doc-uid.ts';
import { lockTenant } from './tenant-lock.ts';

type Fields = Readonly<Record<string, SqlValue>>;
type DocumentRow = Fields & { readonly id: DocUid };

const { accepted, rejected, failed, cancelled } = OUTBOUND_STATUS;

/** A void that is not over needs the attempts of its document, and its outcome belongs into the archive. */
const NO_VOID_UNDER_WAY = `not exists (select 1 from outbound_void
  where outbound_void.tenant = outbound.tenant and outbound_void.doc_uid = outbound.id and state in ('requested', 'sent'))`;

/** Documents on which no work is left, and which are not archived yet. */
const ARCHIVABLE: Readonly<Record<ArchiveSide, string>> = {
  outbound: `status in (${accepted}, ${rejected}, ${failed}, ${cancelled}) and due_at is null and archived_at is null and ${NO_VOID_UNDER_WAY}`,
  inbound: 'acked_at is not null and archived_at is null',
};
const CREATED: Readonly<Record<ArchiveSide, string>> = { outbound: 'created_at', inbound: 'received_at' };
/** Each has a column with its SHA-256. */
const REPRESENTATIONS: Readonly<Record<ArchiveSide, readonly string[]>> = {
  outbound: OUTBOUND_REPRESENTATIONS,
  inbound: INBOUND_REPRESENTATIONS,
};
/** Columns for the worker and the archive itself; they say nothing about the document. */
const INTERNAL_COLUMNS = ['due_at', 'lease', 'failures', 'archived_at'];

export function archiveStore(sql: Sql): ArchiveStore {
  return {
    archivedFile: (tenant, side, docUid, representation) => archivedFile(sql, tenant, side, docUid, representation),
    archivedFileOf: (tenant, side, end) => archivedFileOf(sql, tenant, side, end),
    async count(tenant, side, before) {
      let count = 0;
      for await (const { within, bounds } of windows(sql, side, tenant)) {
        const text = `select count(*) as count from ${side} where tenant = $1 and ${within} and ${ARCHIVABLE[side]} and ${CREATED[side]} < $4`;
        count += Number((await sql.get<{ count: number }>(text, [tenant, ...bounds, before]))?.count ?? 0);
      }
      return count;
    },
    async listArchivable(tenant, side, before, after, limit) {
      for await (const { within, bounds } of windows(sql, side, tenant, { after: after ?? '' })) {
        const rows = await sql.all<DocumentRow>(
          `select * from ${side} where tenant = $1 and ${within} and ${ARCHIVABLE[side]} and ${CREATED[side]} < $4
           order by id limit $5`,
          [tenant, ...bounds, before, limit],
        );
        if (rows.length > 0) return Promise.all(rows.map((row) => complete(sql, tenant, side, row)));
      }
      return [];
    },
    async find(tenant, side, docUid) {
      lockTenant(sql, tenant, side);
      const text = `select * from ${side} where tenant = $1 and id = $2 and ${ARCHIVABLE[side]}`;
      const row = await sql.get<DocumentRow>(text, [tenant, docUid]);
      return row === null ? null : complete(sql, tenant, side, row);
    },
    async content(tenant, sha256) {
      const text = 'select sha256, bytes from content where tenant = $1 and sha256 = $2';
      const row = await sql.get<StoredFile>(text, [tenant, Buffer.from(sha256, 'hex')]);
      return row === null ? null : undamaged(tenant, row).bytes;
    },
    markArchived: (tenant, side, docUid, at) => markArchived(sql, tenant, side, docUid, at),
  };
}

type FileRow = {
  readonly sha256: Uint8Array | null;
  readonly created_at: number;
  readonly document_number: string | null;
  readonly file_name: string | null;
};

async function archivedFile(sql: Sql, tenant: Edb, side: ArchiveSide, docUid: DocUid, representation: string) {
  if (!REPRESENTATIONS[side].includes(representation)) return null;
  const row = await sql.get<FileRow>(
    `select ${representation}_sha256 as sha256, ${CREATED[side]} as created_at, document_number,
       ${side === 'inbound' ? 'file_name' : 'null'} as file_name
     from ${side} where tenant = $1 and id = $2 and doc_uid is not null and archived_at is not null`,
    [tenant, docUid],
  );
  if (row === null || row.sha256 === null) return null;
  const { sha256, created_at: createdAt, document_number: documentNumber, file_name: fileName } = row;
  return { sha256, createdAt, documentNumber, fileName };
}

async function archivedFileOf(sql: Sql, tenant: Edb, side: ArchiveSide, end: 'first' | 'last') {
  const [column] = REPRESENTATIONS[side];
  if (column === undefined) return null;
  const isBackward = end === 'last';
  for await (const { within, bounds } of windows(sql, side, tenant, { isBackward })) {
    const row = await sql.get<Pick<DocumentRow, 'id'> & Pick<FileRow, 'sha256' | 'created_at'>>(
      `select id, ${CREATED[side]} as created_at, ${column}_sha256 as sha256
       from ${side} where tenant = $1 and ${within} and archived_at is not null and ${column}_sha256 is not null
       order by id ${isBackward ? 'desc' : 'asc'} limit 1`,
      [tenant, ...bounds],
    );
    if (row === null || row.sha256 === null) continue;
    const { id, created_at: createdAt, sha256 } = row;
    return { tenant, side, id, createdAt, representation: column, sha256: hex(sha256) };
  }
  return null;
}

async function complete(sql: Sql, tenant: Edb, side: ArchiveSide, row: DocumentRow): Promise<ArchivedDocument> {
  const { id } = row;
  const files = Object.entries(row).flatMap(([column, value]) =>
    column.endsWith('_sha256') && value instanceof Uint8Array ? [[column.replace('_sha256', ''), hex(value)]] : [],
  );
  const parts = side === 'inbound' ? NO_PARTS : await partsOf(sql, tenant, id);
  return {
    id,
    createdAt: Number(row[CREATED[side]]),
    isFinal: side === 'inbound' || row['status'] !== failed,
    facts: { document: readable(row, INTERNAL_COLUMNS), ...parts.facts },
    files: Object.fromEntries(files),
    damage: parts.damage,
  };
}

type Parts = { readonly facts: Readonly<Record<string, unknown>>; readonly damage: string | null };

const NO_PARTS: Parts = { facts: {}, damage: null };
const PARTS = { history: 'outbound_history', attempts: 'outbound_attempt', payload: 'outbound_payload' } as const;

/** The other rows of an outbound document, and which of them cannot be read or do not match their checksum. */
async function partsOf(sql: Sql, tenant: Edb, id: DocUid): Promise<Parts> {
  const read = (part: keyof typeof PARTS) => unlessDamaged(rowsOf(sql, tenant, id, PARTS[part]));
  const [history, attempts, payloads] = await Promise.all([read('history'), read('attempts'), read('payload')]);
  if (history === null) return damaged('history cannot be read');
  if (attempts === null) return damaged('attempts cannot be read');
  if (payloads === null) return damaged('payload cannot be read');
  const [payload = null] = payloads;
  if (payload !== null && isOther(payload)) return damaged('payload');
  const facts = {
    history: history.map(readablePart),
    attempts: attempts.map(readablePart),
    payload: payload === null ? null : readablePart(payload),
  };
  return { facts, damage: null };
}

function damaged(damage: string): Parts {
  return { facts: {}, damage };
}

/** On a damaged page a value may be of any type, also of one that has no checksum. */
function isOther(payload: Fields): boolean {
  try {
    return isPayloadDamaged(payload as unknown as PayloadChecksum);
  } catch {
    return true;
  }
}

function rowsOf(sql: Sql, tenant: Edb, id: DocUid, part: string): Promise<readonly Fields[]> {
  const order = part === PARTS.payload ? '' : 'order by ordinal';
  return sql.all<Fields>(`select * from ${part} where tenant = $1 and doc_uid = $2 ${order}`, [tenant, id]);
}

function readablePart(row: Fields): Readonly<Record<string, string | number | null>> {
  return readable(row, ['tenant', 'doc_uid', 'text_sha256']);
}

/** Sorted by column name, so that both engines give the same text. */
function readable(row: Fields, without: readonly string[]): Readonly<Record<string, string | number | null>> {
  const columns = Object.keys(row).filter((column) => !without.includes(column));
  return Object.fromEntries(columns.toSorted().map((column) => [column, inText(row[column] ?? null)]));
}

function inText(value: SqlValue): string | number | null {
  return value instanceof Uint8Array ? hex(value) : value;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

async function markArchived(sql: Sql, tenant: Edb, side: ArchiveSide, docUid: DocUid, at: number): Promise<void> {
  lockTenant(sql, tenant, side);
  await sql.run(`update ${side} set archived_at = $3 where tenant = $1 and id = $2`, [tenant, docUid, at]);
  if (side === 'inbound') return;
  await keepWarnings(sql, tenant, docUid);
  for (const part of ['outbound_payload', 'outbound_attempt']) {
    await sql.run(`delete from ${part} where tenant = $1 and doc_uid = $2`, [tenant, docUid]);
  }
}
