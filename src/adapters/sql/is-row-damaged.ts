import { hash } from 'node:crypto';
import type { Row, TableShape, Value } from '../../application/ports/database-copy.ts';
import { isPayloadDamaged, type PayloadChecksum } from './stores/outbound/delivery-payload.ts';

/** Whether a row of a table that keeps a SHA-256 beside its bytes does not match it: a file or a payload, as `check` names them. */
export function isRowDamaged({ name, columns }: TableShape, row: Row): boolean {
  if (name !== 'content' && name !== 'outbound_payload') return false;
  const fields: Readonly<Record<string, Value>> = Object.fromEntries(
    columns.map((column, index) => [column, row[index] ?? null]),
  );
  return name === 'content' ? isFileDamaged(fields) : isPayloadDamaged(fields as PayloadChecksum);
}

function isFileDamaged({ sha256 = null, bytes = null }: Readonly<Record<string, Value>>): boolean {
  if (!(sha256 instanceof Uint8Array) || !(bytes instanceof Uint8Array)) return true;
  return !hash('sha256', bytes, 'buffer').equals(sha256);
}
