import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type { Finding } from '../judging/findings.ts';
import { quoted } from '../judging/findings.ts';
import { positionOf } from './text-position.ts';

/**
 * The encodings beside UTF-8 and UTF-16, by the names under which TextDecoder knows them and their aliases. The parser would know some;
 * decoding here gives every one the same treatment and leaves the parser a single encoding. Multi-byte encodings other than UTF are
 * left out: they can hide markup from whoever looks at the bytes, and no one sends them here.
 */
const SINGLE_BYTE =
  /^(?:windows-(?:125[0-8]|874)|iso-8859-(?:[2-8]|1[03-6])|koi8-[ru]|ibm866|macintosh|x-mac-cyrillic)$/u;
const LATIN_1: ReadonlySet<string> = new Set(['iso-8859-1', 'iso8859-1', 'latin1', 'l1']);
const ASCII: ReadonlySet<string> = new Set(['us-ascii', 'ascii']);
const UTF_8: ReadonlySet<string> = new Set(['utf-8', 'utf8']);
const UTF_16: ReadonlySet<string> = new Set(['utf-16', 'utf16', 'iso-10646-ucs-2', 'ucs-2']);

/** A declaration is far shorter; what does not fit is the parser's to refuse. */
const DECLARATION_BYTES = 512;
const DECLARED_ENCODING =
  /^<\?xml\s+version\s*=\s*(?:"[^"]*"|'[^']*')\s+encoding\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/u;

type Utf16 = 'utf-16le' | 'utf-16be';
type Family = 'bytes' | 'utf-8' | Utf16 | 'foreign';
type Mark = { readonly family: Family; readonly mark: readonly number[]; readonly markBytes: number };

/** The first bytes that tell families of encodings apart, the longer ones first where they begin alike. */
const MARKS: readonly Mark[] = [
  { family: 'foreign', mark: [0xff, 0xfe, 0x00, 0x00], markBytes: 4 },
  { family: 'foreign', mark: [0x00, 0x00, 0xfe, 0xff], markBytes: 4 },
  { family: 'foreign', mark: [0x3c, 0x00, 0x00, 0x00], markBytes: 0 },
  { family: 'foreign', mark: [0x00, 0x00, 0x00, 0x3c], markBytes: 0 },
  { family: 'foreign', mark: [0x4c, 0x6f, 0xa7, 0x94], markBytes: 0 },
  { family: 'foreign', mark: [0x2b, 0x2f, 0x76], markBytes: 0 },
  { family: 'foreign', mark: [0x2b, 0x41, 0x44, 0x77], markBytes: 0 },
  { family: 'utf-8', mark: [0xef, 0xbb, 0xbf], markBytes: 3 },
  { family: 'utf-16le', mark: [0xff, 0xfe], markBytes: 2 },
  { family: 'utf-16be', mark: [0xfe, 0xff], markBytes: 2 },
  { family: 'utf-16le', mark: [0x3c, 0x00], markBytes: 0 },
  { family: 'utf-16be', mark: [0x00, 0x3c], markBytes: 0 },
];
const SECOND_MARK = Buffer.from('\u{FEFF}');
const UNMARKED: Mark = { family: 'bytes', mark: [], markBytes: 0 };

/** The text of a document as UTF-8 without byte order mark: a view of the bytes given where they are UTF-8 already. */
export function decodeXml(bytes: Uint8Array): Buffer | Finding {
  const { family, markBytes } = familyOf(bytes);
  if (family === 'foreign')
    return wrong('The text is encoded in UTF-32, UTF-7 or EBCDIC, which are not supported; send UTF-8.');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + markBytes, bytes.length - markBytes);
  const utf8 =
    family === 'bytes' || family === 'utf-8' ? fromBytes(text, family) : fromUtf16(text, family, markBytes > 0);
  if (!Buffer.isBuffer(utf8)) return utf8;
  // The parser would pass over a second mark in silence; whoever looks at the text before it would not.
  if (utf8.subarray(0, 3).equals(SECOND_MARK))
    return wrong('There is a second byte order mark; expected the document itself.');
  const nul = utf8.indexOf(0);
  return nul === -1 ? utf8 : at(utf8, nul, 'There is a NUL character (U+0000), which XML does not allow.');
}

function familyOf(bytes: Uint8Array): Mark {
  return MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte)) ?? UNMARKED;
}

function fromUtf16(text: Buffer, family: Utf16, marked: boolean): Buffer | Finding {
  const declared = declaredEncoding(new TextDecoder(family).decode(text.subarray(0, 2 * DECLARATION_BYTES)));
  if (!marked && declared !== family) {
    return wrong('The text is encoded in UTF-16 without a byte order mark; send UTF-8, or UTF-16 with the mark.');
  }
  if (declared !== null && declared !== family && !UTF_16.has(declared)) return lie(declared, 'UTF-16');
  const decoded = new TextDecoder(family, { ignoreBOM: true }).decode(text);
  // What is not UTF-16 was replaced, so it no longer encodes to the bytes it came from.
  const again = Buffer.from(decoded, 'utf16le');
  if (family === 'utf-16be') again.swap16();
  if (!again.equals(text)) return wrong('The text is not valid UTF-16: a character is cut short or stands alone.');
  return Buffer.from(decoded);
}

function fromBytes(text: Buffer, family: 'utf-8' | 'bytes'): Buffer | Finding {
  const declared = declaredEncoding(text.toString('latin1', 0, DECLARATION_BYTES)) ?? 'utf-8';
  if (UTF_8.has(declared)) return isUtf8(text) ? text : at(text, firstBadByte(text), badByte(text, 'UTF-8'));
  if (family === 'utf-8') return lie(declared, 'UTF-8, as its byte order mark says');
  if (declared === 'utf-16le' || declared === 'utf-16be' || UTF_16.has(declared)) return lie(declared, 'not UTF-16');
  if (ASCII.has(declared)) {
    const bad = text.findIndex((byte) => byte > 0x7f);
    return bad === -1 ? text : at(text, bad, 'The XML declaration says US-ASCII, but this byte is not ASCII.');
  }
  if (LATIN_1.has(declared)) return Buffer.from(text.toString('latin1'));
  const decoder = decoderFor(declared);
  return decoder !== null && SINGLE_BYTE.test(decoder.encoding)
    ? Buffer.from(decoder.decode(text))
    : wrong(`The encoding ${quoted(declared)} is not supported; send UTF-8.`);
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

/** Decoding replaces what is not UTF-8, so the first difference after encoding again is the first bad byte. */
function firstBadByte(text: Buffer): number {
  const again = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(text));
  return text.findIndex((byte, index) => byte !== again[index]);
}

function badByte(text: Buffer, encoding: string): string {
  const byte = text[firstBadByte(text)] ?? 0;
  return `The byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')} is not valid ${encoding}, which the text is declared or assumed to be.`;
}

function lie(declared: string, actual: string): Finding {
  return wrong(`The XML declaration says ${quoted(declared)}, but the text is ${actual}.`);
}

function wrong(text: string): Finding {
  return { place: { line: 1, column: 1, path: null }, text };
}

function at(utf8: Buffer, offset: number, text: string): Finding {
  return { place: { ...positionOf(utf8, offset), path: null }, text };
}
