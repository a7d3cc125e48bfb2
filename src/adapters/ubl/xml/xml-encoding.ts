import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { type Message, message, type Value } from '../../../domain/messages/message.ts';
import type { Finding } from '../judging/findings.ts';
import { quoted } from '../judging/findings.ts';
import { positionOf } from './text-position.ts';

/**
 * The supported encodings beside UTF-8 and UTF-16, by TextDecoder's names for them and their aliases. All text is decoded here, so
 * that the parser and the scan before it see UTF-8 only. Other multi-byte encodings are not supported: they can hide markup from
 * a check of the bytes, and are not used for invoices here.
 */
const SINGLE_BYTE =
  /^(?:windows-(?:125[0-8]|874)|iso-8859-(?:[2-8]|1[03-6])|koi8-[ru]|ibm866|macintosh|x-mac-cyrillic)$/u;
const LATIN_1: ReadonlySet<string> = new Set(['iso-8859-1', 'iso8859-1', 'latin1', 'l1']);
const ASCII: ReadonlySet<string> = new Set(['us-ascii', 'ascii']);
const UTF_8: ReadonlySet<string> = new Set(['utf-8', 'utf8']);
const UTF_16: ReadonlySet<string> = new Set(['utf-16', 'utf16', 'iso-10646-ucs-2', 'ucs-2']);

/** Fewer can be UTF-8 by chance, as "ТД" in ISO-8859-5. */
const LEAST_MISDECLARED = 8;
/**
 * Latin and Cyrillic letters, quotation marks, dashes and signs such as № and €. Others are hardly meant: the "É®" of a trade mark on
 * every line, in windows-1252, is UTF-8 of a phonetic letter.
 */
const MEANT = /[\u{a0}-\u{17f}\u{400}-\u{45f}\u{2010}-\u{2122}]/gu;

/** A declaration is far shorter; a longer one is refused by the parser. */
const DECLARATION_BYTES = 512;
const DECLARED_ENCODING =
  /^<\?xml\s+version\s*=\s*(?:"[^"]*"|'[^']*')\s+encoding\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/u;

type Utf16 = 'utf-16le' | 'utf-16be';
type Family = 'bytes' | 'utf-8' | Utf16 | 'unsupported';
type Signature = { readonly family: Family; readonly bytes: readonly number[]; readonly bomBytes: number };

/** The first bytes by which families of encodings are recognised; longer signatures come before shorter ones that begin alike. */
const SIGNATURES: readonly Signature[] = [
  { family: 'unsupported', bytes: [0xff, 0xfe, 0x00, 0x00], bomBytes: 4 },
  { family: 'unsupported', bytes: [0x00, 0x00, 0xfe, 0xff], bomBytes: 4 },
  { family: 'unsupported', bytes: [0x3c, 0x00, 0x00, 0x00], bomBytes: 0 },
  { family: 'unsupported', bytes: [0x00, 0x00, 0x00, 0x3c], bomBytes: 0 },
  { family: 'unsupported', bytes: [0x4c, 0x6f, 0xa7, 0x94], bomBytes: 0 },
  { family: 'unsupported', bytes: [0x2b, 0x2f, 0x76], bomBytes: 0 },
  { family: 'unsupported', bytes: [0x2b, 0x41, 0x44, 0x77], bomBytes: 0 },
  { family: 'utf-8', bytes: [0xef, 0xbb, 0xbf], bomBytes: 3 },
  { family: 'utf-16le', bytes: [0xff, 0xfe], bomBytes: 2 },
  { family: 'utf-16be', bytes: [0xfe, 0xff], bomBytes: 2 },
  { family: 'utf-16le', bytes: [0x3c, 0x00], bomBytes: 0 },
  { family: 'utf-16be', bytes: [0x00, 0x3c], bomBytes: 0 },
];
const BOM = Buffer.from('\u{FEFF}');
const NO_SIGNATURE: Signature = { family: 'bytes', bytes: [], bomBytes: 0 };

/** The text of a document as UTF-8 without byte order mark; a view of the given bytes if they are UTF-8 already. */
export function decodeXml(bytes: Uint8Array): Buffer | Finding {
  const { family, bomBytes } = signatureOf(bytes);
  if (family === 'unsupported') return findingAtStart(message('encoding-family-unsupported'));
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + bomBytes, bytes.length - bomBytes);
  const utf8 =
    family === 'bytes' || family === 'utf-8' ? fromBytes(text, family) : fromUtf16(text, family, bomBytes > 0);
  if (!Buffer.isBuffer(utf8)) return utf8;
  // The parser silently skips a second byte order mark, which the scan before it would take for text.
  if (utf8.subarray(0, 3).equals(BOM)) return findingAtStart(message('second-byte-order-mark'));
  const nul = utf8.indexOf(0);
  return nul === -1 ? utf8 : findingAt(utf8, nul, message('nul-character'));
}

/**
 * UTF-8 that names an encoding of single bytes: one program wrote the declaration, another one the bytes. It can be read all the same,
 * as signs in place of letters, which would be registered.
 */
export function misdeclaredUtf8(bytes: Uint8Array): Finding | null {
  const declared = declaredEncoding(Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1'));
  if (declared === null || ASCII.has(declared)) return null;
  if (!SINGLE_BYTE.test(decoderFor(declared)?.encoding ?? '') || isAscii(bytes) || !isUtf8(bytes)) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  const meant = text.matchAll(MEANT).take(LEAST_MISDECLARED).toArray();
  return meant.length < LEAST_MISDECLARED ? null : contradiction(declared, 'UTF-8');
}

function signatureOf(text: Uint8Array): Signature {
  return SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => text[index] === byte)) ?? NO_SIGNATURE;
}

function fromUtf16(text: Buffer, family: Utf16, hasBom: boolean): Buffer | Finding {
  const declared = declaredEncoding(new TextDecoder(family).decode(text.subarray(0, 2 * DECLARATION_BYTES)));
  if (!hasBom && declared !== family) {
    return findingAtStart(message('byte-order-mark-missing'));
  }
  if (declared !== null && declared !== family && !UTF_16.has(declared)) return contradiction(declared, 'UTF-16');
  const decoded = new TextDecoder(family, { ignoreBOM: true }).decode(text);
  // Invalid UTF-16 was replaced during decoding, so it does not encode to the same bytes again.
  const encoded = Buffer.from(decoded, 'utf16le');
  if (family === 'utf-16be') encoded.swap16();
  if (!encoded.equals(text)) return findingAtStart(message('surrogate-alone'));
  return Buffer.from(decoded);
}

function fromBytes(text: Buffer, family: 'utf-8' | 'bytes'): Buffer | Finding {
  const declared = declaredEncoding(text.toString('latin1', 0, DECLARATION_BYTES)) ?? 'utf-8';
  if (UTF_8.has(declared))
    return isUtf8(text) ? text : findingAt(text, firstInvalidByte(text), invalidByte(text, 'UTF-8'));
  if (family === 'utf-8') return contradiction(declared, message('encoding-by-mark'));
  if (declared === 'utf-16le' || declared === 'utf-16be' || UTF_16.has(declared))
    return findingAtStart(message('encoding-not-wide', { declared: quoted(declared) }));
  if (ASCII.has(declared)) {
    const invalid = text.findIndex((byte) => byte > 0x7f);
    return invalid === -1 ? text : findingAt(text, invalid, message('byte-not-ascii'));
  }
  if (LATIN_1.has(declared)) return Buffer.from(text.toString('latin1'));
  const decoder = decoderFor(declared);
  return decoder !== null && SINGLE_BYTE.test(decoder.encoding)
    ? Buffer.from(decoder.decode(text))
    : findingAtStart(message('encoding-unsupported', { encoding: quoted(declared) }));
}

function declaredEncoding(beginning: string): string | null {
  const groups = DECLARED_ENCODING.exec(beginning)?.groups;
  return (groups?.['double'] ?? groups?.['single'])?.trim().toLowerCase() ?? null;
}

function decoderFor(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Decoding replaces invalid bytes, so the first difference after encoding again is the first invalid byte. */
function firstInvalidByte(text: Buffer): number {
  const encoded = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(text));
  return text.findIndex((byte, index) => byte !== encoded[index]);
}

function invalidByte(text: Buffer, encoding: string): Message {
  const byte = text[firstInvalidByte(text)] ?? 0;
  return message('byte-invalid', { byte: `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`, encoding });
}

function contradiction(declared: string, actual: Value): Finding {
  return findingAtStart(message('encoding-contradicted', { declared: quoted(declared), actual }));
}

function findingAtStart(said: Message): Finding {
  return { place: { line: 1, column: 1, path: null }, said };
}

function findingAt(utf8: Buffer, offset: number, said: Message): Finding {
  return { place: { ...positionOf(utf8, offset), path: null }, said };
}
