import { hash } from 'node:crypto';
import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';

/** Crockford's base 32: without the letters I, L, O and U, which are easily misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The length that the authority accepts. */
const LENGTH = 20;
const BITS_PER_CHARACTER = 5;

/**
 * The `docId` of a document at the authority, derived from our own identifier: every attempt sends the same one, so the
 * authority recognises a repetition (E1023) even if the first answer was lost. The document's void has one of its own.
 */
export function documentId(tenant: Edb, docUid: DocUid, purpose: 'document' | 'void' = 'document'): string {
  const name = purpose === 'void' ? `${tenant}/${docUid}/void` : `${tenant}/${docUid}`;
  const digest = hash('sha256', name, 'buffer');
  const characters = Array.from(
    { length: LENGTH },
    (_, index) => ALPHABET[fiveBits(digest, BITS_PER_CHARACTER * index)],
  );
  return characters.join('');
}

/** Five bits of the digest, counted from its last bit. */
function fiveBits(bytes: Buffer, first: number): number {
  return (bytes.readUInt16BE(bytes.length - 2 - (first >> 3)) >> (first & 7)) & 31;
}
