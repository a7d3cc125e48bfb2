import { nextHash } from './name-hash.ts';
import * as xml from './xml-bytes.ts';
import { NAME_BYTES, SPACE_BYTES, TEXT_BYTES } from './xml-bytes.ts';

/** Comments and instructions; fewer than the survey of the slow way allows. */
const MAX_PIECES_IN_A_ROW = 32;
const INSTRUCTIONS = new Set(['xml-stylesheet', 'xml-model']);

/** Reads the pieces of an XML text one after the other. What is not there in its usual form is answered with false or -1. */
export class ByteReader {
  bytes: Buffer = Buffer.alloc(0);
  at = 0;

  // The name that was read last: where it is, and the numbers of its two parts.
  nameStart = 0;
  localStart = 0;
  nameEnd = 0;
  prefixHash = 0;
  localHash = 0;

  #piecesInARow = 0;

  begin(bytes: Buffer, at: number): void {
    this.bytes = bytes;
    this.at = at;
    this.#piecesInARow = 0;
  }

  /** Reads a name such as `cbc:ID`. */
  name(start: number): boolean {
    const { bytes } = this;
    let localStart = start;
    let hash = 0;
    let prefixHash = 0;
    let at = start;
    for (; ; at += 1) {
      const byte = bytes[at] ?? 0;
      if (NAME_BYTES[byte] === 1) hash = nextHash(hash, byte);
      else if (byte === xml.COLON && localStart === start && at > start) {
        prefixHash = hash;
        localStart = at + 1;
        hash = 0;
      } else break;
    }
    this.nameStart = start;
    this.localStart = localStart;
    this.nameEnd = at;
    this.prefixHash = prefixHash;
    this.localHash = hash;
    this.at = at;
    return at > localStart;
  }

  isNamed(local: Uint8Array): boolean {
    const { bytes, localStart } = this;
    if (this.nameEnd - localStart !== local.length) return false;
    for (let at = 0; at < local.length; at += 1) if (bytes[localStart + at] !== local[at]) return false;
    return true;
  }

  pastSpace(): boolean {
    const { bytes, at: start } = this;
    let at = start;
    while (SPACE_BYTES[bytes[at] ?? 0] === 1) at += 1;
    this.at = at;
    return at > start;
  }

  /** Behind `="` of an attribute; the quotation mark, or -1. */
  opening(): number {
    const { bytes } = this;
    this.pastSpace();
    if (bytes[this.at] !== xml.EQUALS) return -1;
    this.at += 1;
    this.pastSpace();
    const quote = bytes[this.at];
    this.at += 1;
    return quote === xml.QUOTE || quote === xml.APOSTROPHE ? quote : -1;
  }

  /** The offset of the byte that ends a text whose characters may all stand there, or -1. */
  endOfText(until: number, allowsBreaks: boolean): number {
    const { bytes } = this;
    let { at } = this;
    for (;;) {
      const byte = bytes[at] as number;
      if (byte === until) return at;
      const meaning = TEXT_BYTES[byte];
      if (meaning === xml.PLAIN) at += 1;
      else {
        at = pastSpecial(bytes, at, meaning, allowsBreaks);
        if (at === -1) return -1;
      }
    }
  }

  closingTag(nameStart: number, nameEnd: number): boolean {
    const { bytes } = this;
    let { at } = this;
    if (bytes[at] !== xml.LESS || bytes[at + 1] !== xml.SLASH) return false;
    at += 2;
    for (let name = nameStart; name < nameEnd; name += 1, at += 1) if (bytes[at] !== bytes[name]) return false;
    while (SPACE_BYTES[bytes[at] ?? 0] === 1) at += 1;
    this.at = at + 1;
    this.#piecesInARow = 0;
    return bytes[at] === xml.GREATER;
  }

  /** What may stand before and behind the root. */
  pastMisc(): boolean {
    const { bytes } = this;
    for (;;) {
      this.pastSpace();
      const next = bytes[this.at] === xml.LESS ? bytes[this.at + 1] : undefined;
      if (next === xml.QUESTION) {
        if (!this.#instruction()) return false;
      } else if (next !== xml.EXCLAMATION) return true;
      else if (!this.comment()) return false;
    }
  }

  comment(): boolean {
    const { bytes } = this;
    let { at } = this;
    this.#piecesInARow += 1;
    if (bytes[at + 2] !== xml.HYPHEN || bytes[at + 3] !== xml.HYPHEN) return false;
    for (at += 4; bytes[at] !== xml.HYPHEN || bytes[at + 1] !== xml.HYPHEN; at += 1) {
      if (!isHarmless(bytes[at])) return false;
    }
    this.at = at + 3;
    return bytes[at + 2] === xml.GREATER && this.#piecesInARow <= MAX_PIECES_IN_A_ROW;
  }

  /** Programs name style sheets and rules in these. */
  #instruction(): boolean {
    const { bytes } = this;
    this.#piecesInARow += 1;
    if (!this.name(this.at + 2) || !INSTRUCTIONS.has(bytes.toString('latin1', this.nameStart, this.nameEnd)))
      return false;
    if (!this.pastSpace()) return false;
    let { at } = this;
    for (; bytes[at] !== xml.QUESTION || bytes[at + 1] !== xml.GREATER; at += 1) {
      if (!isHarmless(bytes[at])) return false;
    }
    this.at = at + 2;
    return this.#piecesInARow <= MAX_PIECES_IN_A_ROW;
  }
}

/** The offset behind a byte that needs a second look in a text, or -1 where it may not stand there. */
function pastSpecial(bytes: Buffer, at: number, meaning: number | undefined, allowsBreaks: boolean): number {
  switch (meaning) {
    case xml.BREAK:
      return allowsBreaks ? at + 1 : -1;
    case xml.REFERENCE:
      return xml.pastReference(bytes, at);
    // `]]>` may not stand in a text.
    case xml.CLOSING_BRACKET:
      return bytes[at + 1] === xml.BRACKET ? -1 : at + 1;
    case xml.LAST_OF_PLANE:
      return bytes[at + 1] === 0xbf && (bytes[at + 2] ?? 0) >= 0xbe ? -1 : at + 1;
    default:
      return -1;
  }
}

/** Whether a byte may stand anywhere in a comment. */
function isHarmless(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const meaning = TEXT_BYTES[byte];
  return meaning !== xml.FORBIDDEN && meaning !== xml.LAST_OF_PLANE;
}
