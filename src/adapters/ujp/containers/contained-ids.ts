import { inflateRawSync } from 'node:zlib';
import { textInJws } from '../../../domain/documents/signed-text.ts';

/** Far above a usual document: what is inside of a larger one is not looked at, nor where all files in it together have more. */
const MOST_BYTES = 2 * 1_048_576;
const MOST_ENTRIES = 20;
const CENTRAL_HEADER = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const END_BYTES = 22;
const STORED = 0;
const DEFLATED = 8;
/** One that we make (`document-id.ts`): what else the authority may call so in there proves nothing. */
const DOC_ID = /"docId"\s*:\s*"([0-9A-HJKMNP-TV-Z]{20})"/gu;

type Entry = { readonly method: number; readonly size: number; readonly local: number };

/**
 * Every `docId` that a file in a container states as JSON, by itself or signed. What is inside is not published, so nothing follows
 * from an empty set: neither a form that is not read here nor a damaged one is an error.
 */
export function containedDocIds(container: Uint8Array): ReadonlySet<string> {
  if (container.byteLength > MOST_BYTES) return new Set();
  const file = Buffer.from(container.buffer, container.byteOffset, container.byteLength);
  try {
    let left = MOST_BYTES;
    const contents = entriesOf(file).map((entry) => {
      const content = contentOf(file, entry, left);
      left -= content.length;
      return content;
    });
    return new Set(left < 0 ? [] : contents.flatMap(docIdsIn));
  } catch (error) {
    if (error instanceof RangeError || isOfZlib(error)) return new Set();
    throw error;
  }
}

/** The rows of the central directory; the record at the end of the file says where it begins. Reading past the end is a RangeError. */
function entriesOf(file: Buffer): readonly Entry[] {
  const end = file.lastIndexOf('PK\u0005\u0006', file.length - END_BYTES, 'latin1');
  if (end < 0) return [];
  const count = Math.min(file.readUInt16LE(end + 10), MOST_ENTRIES);
  const entries: Entry[] = [];
  let at = file.readUInt32LE(end + 16);
  while (entries.length < count && file.readUInt32LE(at) === CENTRAL_HEADER) {
    const [method, size, local] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20), file.readUInt32LE(at + 42)];
    entries.push({ method, size, local });
    at += CENTRAL_BYTES + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return entries;
}

function contentOf(file: Buffer, { method, size, local }: Entry, left: number): Buffer {
  if (left <= 0) return Buffer.alloc(0);
  const start = local + LOCAL_BYTES + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  const packed = file.subarray(start, start + size);
  if (method === DEFLATED) return inflateRawSync(packed, { maxOutputLength: left });
  return method === STORED ? packed : Buffer.alloc(0);
}

function docIdsIn(content: Buffer): readonly string[] {
  const text = content.toString('utf8');
  return Array.from((textInJws(text) ?? text).matchAll(DOC_ID), ([, docId = '']) => docId);
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
