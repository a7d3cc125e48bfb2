import { isTenantField } from '../../../domain/tenant-names/tenant-field.ts';

const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;
const LETTER_T = 0x74;
const LOWER_CASE_BIT = 0x20;
const PREFIXES = [Buffer.from('tenant'), Buffer.from('taxpayer')];

/**
 * Whether a local name in UTF-8 is a tenant-identifying field. Only names with one of the prefixes are decoded, which is safe: no
 * letter outside ASCII has a letter of “tenant” or “taxpayer” as its lower case.
 */
export function isTenantFieldAt(utf8: Buffer, start: number, end: number): boolean {
  const first = utf8[start] ?? 0;
  if ((first | LOWER_CASE_BIT) !== LETTER_T && first !== UNDERSCORE) return false;
  return (
    PREFIXES.some((prefix) => hasPrefix(utf8, start, end, prefix)) && isTenantField(utf8.toString('utf8', start, end))
  );
}

function hasPrefix(utf8: Buffer, start: number, end: number, prefix: Buffer): boolean {
  let matched = 0;
  for (let at = start; at < end && matched < prefix.length; at += 1) {
    const byte = utf8[at] ?? 0;
    if (byte === HYPHEN || byte === UNDERSCORE) continue;
    if ((byte | LOWER_CASE_BIT) !== prefix[matched]) return false;
    matched += 1;
  }
  return matched === prefix.length;
}
