import { hash } from 'node:crypto';
import type { DocUid } from '../../domain/doc-uid.ts';
import type { Edb } from '../../domain/edb.ts';

/** Without letters that are taken for digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** As many characters as the authority takes, five bits each. */
const LENGTH = 20;
const BITS = 5n;

/**
 * A document's identifier at the authority. It follows from our own, so every attempt carries the same one and the authority
 * knows a repetition (E1023), whatever was lost in between.
 */
export function documentId(tenant: Edb, docUid: DocUid): string {
  const digest = BigInt(`0x${hash('sha256', `${tenant}/${docUid}`, 'hex')}`);
  const characters = Array.from(
    { length: LENGTH },
    (_, index) => ALPHABET[Number((digest >> (BITS * BigInt(index))) & 31n)],
  );
  return characters.join('');
}
