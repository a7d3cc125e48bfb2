import { hash } from 'node:crypto';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';

/** Without letters that are taken for digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** As many characters as the authority takes, five bits each. */
const LENGTH = 20;
const BITS = 5;

/**
 * A document's identifier at the authority. It follows from our own, so every attempt carries the same one and the authority
 * knows a repetition (E1023), whatever was lost in between.
 */
export function documentId(tenant: Edb, docUid: DocUid): string {
  const digest = hash('sha256', `${tenant}/${docUid}`, 'buffer');
  const characters = Array.from({ length: LENGTH }, (_, index) => ALPHABET[fiveBits(digest, BITS * index)]);
  return characters.join('');
}

/** Five bits of a large number; its last bit is the first. */
function fiveBits(bytes: Buffer, first: number): number {
  return (bytes.readUInt16BE(bytes.length - 2 - (first >> 3)) >> (first & 7)) & 31;
}
