import { toHex } from '../values/hex.ts';

declare const docUidBrand: unique symbol;

/** Identifies a document: a lower-case UUIDv7. Opaque to clients; within the service its order is the order of creation. */
export type DocUid = string & { readonly [docUidBrand]: true };

const DOC_UID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;
const COUNTER_BITS = 74n;
const COUNTER_LIMIT = 1n << COUNTER_BITS;
const LOW_BITS = 62n;
const VARIANTS = '89ab';
const LOW_MASK = (1n << LOW_BITS) - 1n;

/** Reads a docUid that came from outside, letter for letter as we write them. */
export function parseDocUid(text: string): DocUid | null {
  return DOC_UID.test(text) ? (text as DocUid) : null;
}

/** The creation time that a docUid carries, in milliseconds since 1970. */
export function docUidTime(docUid: DocUid): number {
  return Number.parseInt(docUid.slice(0, 8) + docUid.slice(9, 13), 16);
}

/** The smallest docUid of that time, as a limit for searches by time. */
export function firstDocUidAt(timeMs: number): DocUid {
  return compose(timeMs, 0n);
}

/** After every other: that of a document which is not stored, where others are searched for that came before it. */
export const LATEST_DOC_UID = 'ffffffff-ffff-7fff-bfff-ffffffffffff' as DocUid;

/**
 * The docUid that follows `previous`: always greater, even when the clock stands still or steps back,
 * so that the order of docUids is the order of creation.
 * `random` supplies ten random bytes.
 */
export function nextDocUid(nowMs: number, previous: DocUid | null, random: Uint8Array): DocUid {
  if (previous === null || Math.floor(nowMs) > docUidTime(previous)) return freshDocUid(nowMs, random);
  // A random step, so that identifiers of the same millisecond cannot be guessed from each other.
  const step = BigInt(`0x${toHex(random.subarray(6, 10))}`) + 1n;
  const counter = counterOf(previous) + step;
  return counter < COUNTER_LIMIT
    ? compose(docUidTime(previous), counter)
    : freshDocUid(docUidTime(previous) + 1, random);
}

function freshDocUid(timeMs: number, random: Uint8Array): DocUid {
  return docUidOf(timeMs, toHex(random.subarray(0, 10)));
}

/**
 * The docUid of a time and 20 hexadecimal digits. Composed as text: most docUids are the first of their millisecond, and
 * arithmetic on 74-bit integers would be slower.
 */
export function docUidOf(timeMs: number, hex: string): DocUid {
  const time = timeText(timeMs);
  const variant = VARIANTS[Number.parseInt(hex[3] ?? '0', 16) & 0x03];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-${variant}${hex.slice(5, 8)}-${hex.slice(8, 20)}` as DocUid;
}

function counterOf(docUid: DocUid): bigint {
  const high = BigInt(`0x${docUid.slice(15, 18)}`);
  const low = BigInt(`0x${docUid.slice(19, 23)}${docUid.slice(24)}`) & LOW_MASK;
  return (high << LOW_BITS) | low;
}

function compose(timeMs: number, counter: bigint): DocUid {
  const time = timeText(timeMs);
  const high = (counter >> LOW_BITS).toString(16).padStart(3, '0');
  const low = ((counter & LOW_MASK) | (1n << 63n)).toString(16).padStart(16, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${high}-${low.slice(0, 4)}-${low.slice(4)}` as DocUid;
}

function timeText(timeMs: number): string {
  return Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, '0');
}
