import type { Finding, RefusedDocument } from '../judging/findings.ts';
import { quoted, refuse } from '../judging/findings.ts';
import { tenantPropertyIn } from './json-properties.ts';

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
const JSON_START = /^(?:\xef\xbb\xbf)?[\t\n\r ]*[[{]/u;
const START_BYTES = 1024;

/** Refuses a body that is certainly not XML; null for one that may be. */
export function refuseOtherFormats(bytes: Uint8Array): RefusedDocument | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, START_BYTES)).toString('latin1');
  if (bytes.length === 0) return refuse('ERR-2001', [expectedXml('The body is empty')]);
  if (JSON_START.test(start)) return refuseJson(bytes);
  const format = SIGNATURES.find(([signature]) => start.startsWith(signature));
  return format === undefined ? null : refuse('ERR-2001', [expectedXml(format[1])]);
}

/** A tenant-identifying field has its own error code, even in a body of the wrong format. */
function refuseJson(bytes: Uint8Array): RefusedDocument {
  const field = tenantPropertyIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (field === null) return refuse('ERR-2001', [expectedXml('The body is JSON')]);
  const text = `The property ${quoted(field)} identifies a tenant. The tenant follows from the API key; leave the property out.`;
  return refuse('ERR-1007', [{ place: null, text }]);
}

function expectedXml(found: string): Finding {
  return { place: null, text: `${found}; expected one UBL 2.1 Invoice or CreditNote as plain XML.` };
}
