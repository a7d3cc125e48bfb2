/** `other`: a comment, a CDATA section or a processing instruction. */
export type XmlToken = 'start' | 'empty' | 'close' | 'declaration' | 'other' | 'doctype' | 'malformed' | 'end';

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const QUESTION = 0x3f;
const EXCLAMATION = 0x21;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/** Bytes that end a name in a tag: white space, `/`, `>`, `=`, quotes, `<`. */
const ENDS_NAME = new Uint8Array(256);
for (const byte of [0x09, 0x0a, 0x0d, 0x20, SLASH, GREATER, EQUALS, QUOTE, APOSTROPHE, LESS]) ENDS_NAME[byte] = 1;

/** Text between two tags is mostly short, where a loop is faster than a native search; in attachments it is slower. */
const SHORT_TEXT_BYTES = 48;

const COMMENT = Buffer.from('<!--');
const CDATA = Buffer.from('<![CDATA[');
const DOCTYPE = /^<!doctype/iu;
const DOCTYPE_LENGTH = 9;
const DECLARATION = Buffer.from('<?xml');

/**
 * Finds the tags of an XML text in UTF-8 without building a tree: in a well-formed text the delimiters can be recognised by their
 * bytes. It does not report errors; a text that it cannot follow ends in `malformed`, and the parser reports why.
 */
export class XmlScanner {
  readonly utf8: Buffer;
  /** Where the current token begins, and where the search for the next one begins. */
  start: number;
  position: number;
  nameEnd = 0;
  attributes = 0;
  /** Start and end of the attribute names of the current tag, two entries each; names beyond the capacity are only counted. */
  readonly attributeNames: Int32Array;
  /** The length of each attribute's value, in bytes. */
  readonly valueLengths: Int32Array;

  constructor(utf8: Buffer, from: number, attributeCapacity: number) {
    this.utf8 = utf8;
    this.start = from;
    this.position = from;
    this.attributeNames = new Int32Array(2 * attributeCapacity);
    this.valueLengths = new Int32Array(attributeCapacity);
  }

  get nameStart(): number {
    return this.start + 1;
  }

  next(): XmlToken {
    const at = this.#find(LESS, this.position);
    if (at === -1) {
      this.start = this.utf8.length;
      return 'end';
    }
    this.start = at;
    const second = this.utf8[at + 1];
    if (second === SLASH) return this.#pastByte(GREATER, at + 2, 'close');
    if (second === EXCLAMATION) return this.#exclamation();
    if (second === QUESTION) return this.#instruction();
    return this.#startTag();
  }

  #exclamation(): XmlToken {
    if (this.#startsWith(COMMENT)) return this.#pastEnd('-', 2, this.start + COMMENT.length, 'other');
    if (this.#startsWith(CDATA)) return this.#pastEnd(']', 2, this.start + CDATA.length, 'other');
    const opening = this.utf8.toString('latin1', this.start, this.start + DOCTYPE_LENGTH);
    return DOCTYPE.test(opening) ? 'doctype' : 'malformed';
  }

  #instruction(): XmlToken {
    const isDeclaration =
      this.#startsWith(DECLARATION) && ENDS_NAME[this.utf8[this.start + DECLARATION.length] ?? 0] === 1;
    return this.#pastEnd('?', 1, this.start + 2, isDeclaration ? 'declaration' : 'other');
  }

  #startTag(): XmlToken {
    this.attributes = 0;
    let at = this.#pastName(this.start + 1);
    if (at === this.start + 1) return 'malformed';
    this.nameEnd = at;
    for (;;) {
      at = this.#pastSpace(at);
      const byte = this.utf8[at];
      if (byte === GREATER) {
        this.position = at + 1;
        return 'start';
      }
      if (byte === SLASH) return this.#pastByte(GREATER, at + 1, 'empty');
      at = this.#pastAttribute(at);
      if (at === -1) return 'malformed';
    }
  }

  #pastAttribute(nameStart: number): number {
    const nameEnd = this.#pastName(nameStart);
    if (nameEnd === nameStart) return -1;
    this.attributeNames[2 * this.attributes] = nameStart;
    this.attributeNames[2 * this.attributes + 1] = nameEnd;
    const equals = this.#pastSpace(nameEnd);
    if (this.utf8[equals] !== EQUALS) return -1;
    const opening = this.#pastSpace(equals + 1);
    const quote = this.utf8[opening];
    if (quote !== QUOTE && quote !== APOSTROPHE) return -1;
    const closing = this.#find(quote, opening + 1);
    this.valueLengths[this.attributes] = closing - opening - 1;
    this.attributes += 1;
    return closing === -1 ? -1 : closing + 1;
  }

  #pastName(from: number): number {
    const { utf8 } = this;
    const end = utf8.length;
    let at = from;
    while (at < end && ENDS_NAME[utf8[at] ?? 0] === 0) at += 1;
    return at;
  }

  #pastSpace(from: number): number {
    let at = from;
    while (isXmlSpace(this.utf8[at])) at += 1;
    return at;
  }

  #pastByte(byte: number, from: number, token: XmlToken): XmlToken {
    const at = this.#find(byte, from);
    this.position = at + 1;
    return at === -1 ? 'malformed' : token;
  }

  /**
   * Moves past the first `>` with `times` of a character right before it, as in `-->`. Searching for the whole terminator would be
   * slow in a text with many of that character.
   */
  #pastEnd(character: string, times: number, from: number, token: XmlToken): XmlToken {
    const byte = character.charCodeAt(0);
    for (let at = this.#find(GREATER, from + times); at !== -1; at = this.#find(GREATER, at + 1)) {
      if (this.utf8[at - 1] !== byte || this.utf8[at - times] !== byte) continue;
      this.position = at + 1;
      return token;
    }
    return 'malformed';
  }

  #startsWith(text: Uint8Array): boolean {
    for (let index = 0; index < text.length; index += 1) {
      if (this.utf8[this.start + index] !== text[index]) return false;
    }
    return true;
  }

  #find(byte: number, from: number): number {
    const { utf8 } = this;
    const shortEnd = Math.min(from + SHORT_TEXT_BYTES, utf8.length);
    for (let at = from; at < shortEnd; at += 1) if (utf8[at] === byte) return at;
    return shortEnd === utf8.length ? -1 : utf8.indexOf(byte, shortEnd);
  }
}

export function isXmlSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d;
}
