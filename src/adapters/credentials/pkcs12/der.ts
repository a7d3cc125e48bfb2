/** The bytes are no ASN.1, or not of the expected structure. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

/** One ASN.1 value: its tag byte and what is inside. */
export type DerValue = { readonly tag: number; readonly content: Uint8Array };

export const TAG = { integer: 0x02, octets: 0x04, oid: 0x06, sequence: 0x30, set: 0x31, explicit0: 0xa0 } as const;

const CONSTRUCTED = 0x20;
const LOW_TAG_BITS = 0x1f;
const LONG_LENGTH = 0x80;
/** Four bytes of length are more than any file that is read here can have. */
const MAX_LENGTH_BYTES = 4;
/** Real files nest about ten levels; without a limit a hostile one could exhaust the stack. */
const MAX_DEPTH = 32;

type Read = { readonly value: DerValue; readonly next: number };

/** The only value in the bytes. Older programs use BER with lengths left open (RFC 7292 §4 allows it), so that is read too. */
export function readDer(bytes: Uint8Array): DerValue {
  return readAt(bytes, 0, 0).value;
}

/** The values inside a sequence, a set or a tagged value. */
export function membersOf({ tag, content }: DerValue): readonly DerValue[] {
  if ((tag & CONSTRUCTED) === 0) throw new DerError('A structure was expected.');
  const members: DerValue[] = [];
  for (let at = 0; at < content.length; ) {
    const { value, next } = readAt(content, at, 0);
    members.push(value);
    at = next;
  }
  return members;
}

/** The member at a position, which must have one of the tags. */
export function memberAt(parent: DerValue, position: number, ...tags: readonly number[]): DerValue {
  const member = membersOf(parent)[position];
  if (member === undefined || !tags.includes(member.tag)) throw new DerError('A member is missing.');
  return member;
}

/** The bytes of an octet string; BER may write it in pieces. */
export function octetsOf(value: DerValue, depth = 0): Uint8Array {
  if (depth > MAX_DEPTH) throw new DerError('Nested too deeply.');
  if ((value.tag & CONSTRUCTED) === 0) return value.content;
  return Buffer.concat(membersOf(value).map((piece) => octetsOf(piece, depth + 1)));
}

/** A whole number that is small enough to count with. */
export function integerOf({ tag, content }: DerValue): number {
  const isSmall = content.length > 0 && content.length <= MAX_LENGTH_BYTES && (content[0] ?? 0) < LONG_LENGTH;
  if (tag !== TAG.integer || !isSmall) throw new DerError('A small whole number was expected.');
  return content.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** An object identifier in hexadecimal, as it is encoded. */
export function oidOf({ tag, content }: DerValue): string {
  if (tag !== TAG.oid) throw new DerError('An object identifier was expected.');
  return Buffer.from(content).toString('hex');
}

function readAt(bytes: Uint8Array, at: number, depth: number): Read {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & LOW_TAG_BITS) === LOW_TAG_BITS || depth > MAX_DEPTH) {
    throw new DerError('Not ASN.1.');
  }
  if (first === LONG_LENGTH) return readOpenEnded(bytes, at, tag, depth);
  const lengthBytes = first < LONG_LENGTH ? 0 : first - LONG_LENGTH;
  if (lengthBytes > MAX_LENGTH_BYTES) throw new DerError('Not ASN.1.');
  const start = at + 2 + lengthBytes;
  const length = lengthBytes === 0 ? first : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  if (start + length > bytes.length) throw new DerError('The bytes end early.');
  return { value: { tag, content: bytes.subarray(start, start + length) }, next: start + length };
}

/** A value whose end is marked by two zero bytes. */
function readOpenEnded(bytes: Uint8Array, at: number, tag: number, depth: number): Read {
  const start = at + 2;
  let end = start;
  while (bytes[end] !== 0 || bytes[end + 1] !== 0) end = readAt(bytes, end, depth + 1).next;
  return { value: { tag, content: bytes.subarray(start, end) }, next: end + 2 };
}
