import { isTenantField } from '../../../domain/documents/tenant-field.ts';

const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;
const LETTER_T = 0x74;
const LOWER_CASE = 0x20;
const BEGINNINGS = [Buffer.from('tenant'), Buffer.from('taxpayer')];

/**
 * Whether a local name in UTF-8 is a tenant-identifying field, without decoding names that begin otherwise.
 * Sound for any script: no letter outside ASCII becomes one of “tenant” or “taxpayer” in lower case.
 */
export function isTenantFieldAt(utf8: Buffer, start: number, end: number): boolean {
  const first = utf8[start] ?? 0;
  if ((first | LOWER_CASE) !== LETTER_T && first !== UNDERSCORE) return false;
  return (
    BEGINNINGS.some((beginning) => beginsWith(utf8, start, end, beginning)) &&
    isTenantField(utf8.toString('utf8', start, end))
  );
}

function beginsWith(utf8: Buffer, start: number, end: number, word: Buffer): boolean {
  let matched = 0;
  for (let at = start; at < end && matched < word.length; at += 1) {
    const byte = utf8[at] ?? 0;
    if (byte === HYPHEN || byte === UNDERSCORE) continue;
    if ((byte | LOWER_CASE) !== word[matched]) return false;
    matched += 1;
  }
  return matched === word.length;
}
