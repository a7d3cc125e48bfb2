import { createHash } from 'node:crypto';
import type { RowDigest, Value } from '../../application/ports/database-copy.ts';

/** Every value is hashed with its type and length before it, so that no two different rows give the same bytes. */
export function newRowDigest(): RowDigest {
  const digest = createHash('sha256');
  function add(value: Value): void {
    if (value === null) digest.update('null;');
    else if (typeof value === 'number') digest.update(`number ${value};`);
    else if (typeof value === 'string') digest.update(`text ${Buffer.byteLength(value)};`).update(value);
    else digest.update(`bytes ${value.length};`).update(value);
  }
  return {
    add(row) {
      digest.update(`row ${row.length};`);
      for (const value of row) add(value);
    },
    hex: () => digest.digest('hex'),
  };
}
