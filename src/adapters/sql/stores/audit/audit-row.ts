import { hash } from 'node:crypto';
import type { ErrorCode } from '../../../../application/errors/problem-catalogue.ts';
import type { AuditEntry } from '../../../../application/ports/storage/audit-store.ts';
import type { Edb } from '../../../../domain/accounts/edb.ts';
import { entryText } from '../../../../domain/audit/audit-seal.ts';
import { type DocUid, docUidOf } from '../../../../domain/documents/doc-uid.ts';
import type { ColumnType } from '../../row-lists.ts';

/** The tenant column of a call whose key was not recognised, and of a command about no single tenant. */
export const NO_TENANT = '';

export type AuditRow = {
  readonly tenant: Edb | typeof NO_TENANT;
  readonly id: string;
  readonly at: number;
  readonly key_id: string | null;
  readonly software_id: string | null;
  readonly method: string;
  readonly path: string;
  readonly doc_uid: DocUid | null;
  readonly http_status: number;
  readonly code: ErrorCode | null;
  readonly address: string;
  readonly duration_ms: number;
  readonly request_id: string;
  readonly operator: string | null;
  readonly calls: number;
};

/** The columns that the digest of an entry covers, in its order. */
export const AUDIT_COLUMNS = {
  tenant: 'text',
  id: 'text',
  at: 'bigint',
  key_id: 'text',
  software_id: 'text',
  method: 'text',
  path: 'text',
  doc_uid: 'text',
  http_status: 'bigint',
  code: 'text',
  address: 'text',
  duration_ms: 'double precision',
  request_id: 'text',
  operator: 'text',
  calls: 'bigint',
} as const satisfies Readonly<Record<keyof AuditRow, ColumnType>>;

export const AUDIT_COLUMN_NAMES = Object.keys(AUDIT_COLUMNS) as readonly (keyof AuditRow)[];

export function rowValues(row: AuditRow): readonly (string | number | null)[] {
  return AUDIT_COLUMN_NAMES.map((column) => row[column]);
}

export function rowDigest(values: readonly (string | number | null)[]): string {
  return hash('sha256', entryText(values), 'base64url');
}

/** The same entry always has the same identifier, so that it is kept once. */
export function toRow(entry: AuditEntry): AuditRow {
  return {
    tenant: entry.tenant ?? NO_TENANT,
    id: docUidOf(entry.at, hash('sha256', entry.entryId ?? entry.requestId)),
    at: entry.at,
    key_id: storable(entry.keyId),
    software_id: storable(entry.softwareId),
    method: storable(entry.method),
    path: storable(entry.path),
    doc_uid: entry.docUid,
    http_status: entry.httpStatus,
    code: entry.code,
    address: storable(entry.address),
    duration_ms: entry.durationMs,
    request_id: storable(entry.requestId),
    operator: storable(entry.operator),
    calls: entry.calls,
  };
}

export function toEntry(row: AuditRow): AuditEntry {
  return {
    at: row.at,
    tenant: row.tenant === NO_TENANT ? null : row.tenant,
    keyId: row.key_id,
    softwareId: row.software_id,
    method: row.method,
    path: row.path,
    docUid: row.doc_uid,
    httpStatus: row.http_status,
    code: row.code,
    address: row.address,
    durationMs: row.duration_ms,
    requestId: row.request_id,
    operator: row.operator,
    calls: row.calls,
  };
}

/** As every engine gives it back: no engine keeps half a surrogate pair, and PostgreSQL no U+0000. The digest depends on it. */
function storable<Text extends string | null>(text: Text): Text {
  if (text === null || (text.isWellFormed() && !text.includes('\0'))) return text;
  return text.toWellFormed().replaceAll('\0', '\uFFFD') as Text;
}
