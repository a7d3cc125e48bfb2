import { type Message, message, type Value } from '../../../domain/messages/message.ts';
import { tenantNameIn } from '../../../domain/tenant-names/tenant-name-in-body.ts';
import type { RefusedDocument } from '../judging/findings.ts';
import { quoted, refuse } from '../judging/findings.ts';

/** The first bytes of other formats. */
const SIGNATURES: ReadonlyArray<readonly [string, Message]> = [
  ['\x1f\x8b', message('body-compressed', { format: 'gzip' })],
  ['PK\x03\x04', message('body-archive', { format: 'ZIP' })],
  ['\x28\xb5\x2f\xfd', message('body-compressed', { format: 'Zstandard' })],
  ['BZh', message('body-compressed', { format: 'bzip2' })],
  ['\xfd7zXZ\x00', message('body-compressed', { format: 'xz' })],
  ['7z\xbc\xaf', message('body-archive', { format: '7z' })],
  ['\x78\x01', message('body-compressed', { format: 'zlib' })],
  ['\x78\x9c', message('body-compressed', { format: 'zlib' })],
  ['\x78\xda', message('body-compressed', { format: 'zlib' })],
  ['%PDF-', message('body-pdf')],
];

/** Texts that clients put a document into, by how they begin. */
const WRAPPINGS: ReadonlyArray<readonly [RegExp, Value]> = [
  [/^[[{]/u, 'JSON'],
  [/^"/u, message('wrapping-json-string')],
  [/^--[^\r\n]{1,200}\r?\n[\w-]+:/u, 'multipart'],
  [/^data:[\w/+.;=-]*,/u, message('wrapping-data-url')],
  [/^[\w.%+[\]-]{1,200}=(?!=|$)/u, message('wrapping-form')],
];
const BASE64 = /^[\w+/-][\w+/\s-]*(?:={1,2}\s*)?$/u;
const MARKS_AND_NULS = /\0|^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/gu;
const START_BYTES = 1024;

/** Refuses a body that is certainly not XML; null for one that may be. */
export function refuseOtherFormats(bytes: Uint8Array): RefusedDocument | null {
  if (bytes.length === 0) return refuse('ERR-2001', [{ place: null, said: message('body-empty') }]);
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, START_BYTES)).toString('latin1');
  // Without marks and zero bytes, UTF-16 reads like ASCII.
  const text = start.replace(MARKS_AND_NULS, '').trimStart();
  if (text === '' || text.startsWith('<')) return null;
  // A tenant-identifying field has its own error code, even in a body of the wrong format.
  const field = tenantNameIn(bytes);
  if (field !== null)
    return refuse('ERR-1007', [{ place: null, said: message('tenant-field-named', { name: quoted(field) }) }]);
  const format = SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1] ?? wrappingOf(text);
  return format === null ? null : refuse('ERR-2001', [{ place: null, said: format }]);
}

function wrappingOf(text: string): Message | null {
  const wrapping = WRAPPINGS.find(([beginning]) => beginning.test(text));
  if (wrapping !== undefined) return message('body-wrapped', { wrapping: wrapping[1] });
  const isBase64 = BASE64.test(text) && Buffer.from(text, 'base64').toString('latin1').startsWith('<');
  return isBase64 ? message('body-wrapped', { wrapping: 'base64' }) : null;
}
