import type { SqlValue } from '../engine.ts';

/** The types of columns, as far as a list has to know them: every whole number is sent with 64 bits, whatever the column takes. */
export type ColumnType = 'text' | 'bigint' | 'double precision' | 'bytea';

/** The numbers by which PostgreSQL knows the types. */
const TYPE_NUMBERS: Readonly<Record<ColumnType, number>> = { bytea: 17, bigint: 20, text: 25, 'double precision': 701 };

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NUMBER_BYTES = 8;
const NULL_LENGTH = -1;

/**
 * A list with one dimension in PostgreSQL's binary format: dimensions, whether there may be nulls, type, length, first index; then
 * each value behind its length. As text, bytes would be twice as long and every character would be looked at several times.
 */
export function valueList(type: ColumnType, values: readonly SqlValue[]): Uint8Array {
  const parts = values.map((value) => (value === null ? null : bytesOf(type, value)));
  const size = parts.reduce((sum, part) => sum + LENGTH_BYTES + (part?.byteLength ?? 0), HEADER_BYTES);
  const list = Buffer.allocUnsafe(size);
  let at = 0;
  for (const number of [1, 1, TYPE_NUMBERS[type], parts.length, 1]) {
    at = list.writeInt32BE(number, at);
  }
  for (const part of parts) {
    at = list.writeInt32BE(part?.byteLength ?? NULL_LENGTH, at);
    if (part !== null) {
      list.set(part, at);
      at += part.byteLength;
    }
  }
  return list;
}

function bytesOf(type: ColumnType, value: string | number | Uint8Array): Uint8Array {
  if (value instanceof Uint8Array) return value;
  // PostgreSQL cannot store U+0000 in text; it becomes the replacement character.
  if (type === 'text') return Buffer.from(String(value).replaceAll('\0', '\uFFFD'));
  const bytes = Buffer.allocUnsafe(NUMBER_BYTES);
  if (type === 'bigint') bytes.writeBigInt64BE(BigInt(value));
  else bytes.writeDoubleBE(Number(value));
  return bytes;
}
