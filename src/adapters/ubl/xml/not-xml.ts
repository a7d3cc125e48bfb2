import { tenantNameIn } from '../../../domain/tenant-names/tenant-name-in-body.ts';
import type { Finding, Refusal } from '../judging/findings.ts';
import { quoted, refuse } from '../judging/findings.ts';

/** The first bytes of other formats. */
const SIGNATURES: ReadonlyArray<readonly [string, string]> = [
  ['\x1f\x8b', 'The body is compressed (gzip)'],
  ['PK\x03\x04', 'The body is a ZIP archive'],
  ['\x28\xb5\x2f\xfd', 'The body is compressed (Zstandard)'],
  ['BZh', 'The body is compressed (bzip2)'],
  ['\xfd7zXZ\x00', 'The body is compressed (xz)'],
  ['7z\xbc\xaf', 'The body is a 7z archive'],
  ['\x78\x01', 'The body is compressed (zlib)'],
  ['\x78\x9c', 'The body is compressed (zlib)'],
  ['\x78\xda', 'The body is compressed (zlib)'],
  ['%PDF-', 'The body is a PDF file'],
];

/** Texts that clients put a document into, by how they begin. */
const WRAPPINGS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^[[{]/u, 'The body is JSON'],
  [/^"/u, 'The body is a JSON string'],
  [/^--[^\r\n]{1,200}\r?\n[\w-]+:/u, 'The body is multipart'],
  [/^data:[\w/+.;=-]*,/u, 'The body is a data URL'],
  [/^[\w.%+[\]-]{1,200}=(?!=|$)/u, 'The body is a form'],
];
const BASE64 = /^[\w+/-][\w+/\s-]*(?:={1,2}\s*)?$/u;
const MARKS_AND_NULS = /\0|^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/gu;
const START_BYTES = 1024;

/** Refuses a body that is certainly not XML; null for one that may be. */
export function refuseOtherFormats(bytes: Uint8Array): Refusal | null {
  if (bytes.length === 0) return refuse('ERR-2001', [expectedXml('The body is empty')]);
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, START_BYTES)).toString('latin1');
  // Without marks and zero bytes, UTF-16 reads like ASCII.
  const text = start.replace(MARKS_AND_NULS, '').trimStart();
  if (text === '' || text.startsWith('<')) return null;
  // A tenant-identifying field has its own error code, even in a body of the wrong format.
  const field = tenantNameIn(bytes);
  if (field !== null) return refuse('ERR-1007', [{ place: null, text: tenantText(field) }]);
  const format = SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1] ?? wrappingOf(text);
  return format === null ? null : refuse('ERR-2001', [expectedXml(format)]);
}

function wrappingOf(text: string): string | null {
  const wrapping = WRAPPINGS.find(([beginning]) => beginning.test(text));
  if (wrapping !== undefined) return `${wrapping[1]}; send the XML itself`;
  const isBase64 = BASE64.test(text) && Buffer.from(text, 'base64').toString('latin1').startsWith('<');
  return isBase64 ? 'The body is base64; send the XML itself' : null;
}

function tenantText(field: string): string {
  return `The field ${quoted(field)} identifies a tenant. The tenant follows from the API key; leave the field out.`;
}

function expectedXml(found: string): Finding {
  return { place: null, text: `${found}; expected one UBL 2.1 Invoice or CreditNote as plain XML.` };
}
