import { isTenantField } from '../../../domain/documents/tenant-field.ts';
import { isXmlSpace } from './xml-scanner.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Longer than any tenant-identifying name, even with every letter written as a six-character escape. */
const MAX_NAME_BYTES = 200;

/**
 * The first tenant-identifying property of a JSON text. It reads only the names: parsing would turn ten megabytes of brackets into
 * half a gigabyte of objects, although the body is refused in any case.
 */
export function tenantPropertyIn(json: Buffer): string | null {
  let start = json.indexOf(QUOTE);
  while (start !== -1) {
    const end = endOfString(json, start + 1);
    if (end === -1) return null;
    const name = isFollowedByColon(json, end + 1) ? nameOf(json, start, end + 1) : null;
    if (name !== null && isTenantField(name)) return name;
    start = json.indexOf(QUOTE, end + 1);
  }
  return null;
}

function endOfString(json: Buffer, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at < json.length ? at : -1;
}

/** White space is the same four characters in JSON and in XML. */
function isFollowedByColon(json: Buffer, from: number): boolean {
  let at = from;
  while (isXmlSpace(json[at])) at += 1;
  return json[at] === COLON;
}

function nameOf(json: Buffer, start: number, end: number): string | null {
  if (end - start > MAX_NAME_BYTES) return null;
  try {
    return String(JSON.parse(json.toString('utf8', start, end)));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
