import { isUtf8 } from 'node:buffer';
import { ByteReader } from './byte-reader.ts';
import { ElementList } from './element-list.ts';
import { NamespaceDeclarations } from './namespace-declarations.ts';
import { OpenElements } from './open-elements.ts';
import { pastProlog } from './past-prolog.ts';
import { type ScannedElements, ScannedTree } from './scanned-tree.ts';
import type { AttributeRule, ElementRule, ScannerTables, ValueRule } from './scanner-tables.ts';
import { EXCLAMATION, GREATER, LESS, SLASH, SPACE_BYTES } from './xml-bytes.ts';

const LETTER_X = 0x78;
const LETTER_M = 0x6d;

type BytesRule = Extract<ValueRule, { kind: 'bytes' }>;

/**
 * Reads a document in one pass and finds out whether it is certainly a valid invoice or credit note. It knows the usual forms alone:
 * whatever else it meets, right or wrong, it gives up, and the parser judges the document. So it never says why.
 */
export class DocumentScanner {
  readonly #tables: ScannerTables;
  readonly #reader = new ByteReader();
  readonly #namespaces: NamespaceDeclarations;
  readonly #open = new OpenElements();
  readonly #found = new ElementList();
  /** Whether the tag that was read last is one like `<a/>`. */
  #isEmptyTag = false;

  constructor(tables: ScannerTables) {
    this.#tables = tables;
    this.#namespaces = new NamespaceDeclarations(tables.namespaces);
  }

  /** A document that is certainly valid; null where that is not certain. It holds until the next scan. */
  scan(bytes: Buffer): ScannedTree | null {
    const start = pastProlog(bytes);
    if (start === -1 || !isUtf8(bytes)) return null;
    this.#reader.begin(bytes, start);
    this.#open.depth = 0;
    this.#found.clear();
    const isCertain = this.#reader.pastMisc() && this.#root() && this.#content() && this.#reader.pastMisc();
    if (!isCertain || this.#reader.at !== bytes.length) return null;
    const elements: ScannedElements = this.#found;
    return new ScannedTree(this.#tables, bytes, elements);
  }

  #root(): boolean {
    const reader = this.#reader;
    if (reader.bytes[reader.at] !== LESS || !reader.name(reader.at + 1)) return false;
    const end = this.#namespaces.readRoot(reader.bytes, reader.nameEnd);
    const root = end === -1 ? undefined : this.#tables.roots.find((rule) => this.#isElement(rule));
    if (root === undefined || root.children === null) return false;
    reader.at = end;
    return this.#open.push(this.#found.add(root), root.children, reader.nameStart, reader.nameEnd, 0);
  }

  /** Everything until the root is closed. */
  #content(): boolean {
    const reader = this.#reader;
    const { bytes } = reader;
    while (this.#open.depth > 0) {
      reader.pastSpace();
      if (bytes[reader.at] !== LESS) return false;
      const next = bytes[reader.at + 1];
      if (next === SLASH) {
        if (!this.#close()) return false;
      } else if (next === EXCLAMATION) {
        if (!reader.comment()) return false;
      } else if (!this.#element()) return false;
    }
    return true;
  }

  #element(): boolean {
    const reader = this.#reader;
    if (!reader.name(reader.at + 1)) return false;
    const { nameStart, nameEnd } = reader;
    const declared = this.#namespaces.count;
    if (!this.#declarations()) return false;
    const rule = this.#nextChild();
    if (rule === null) return false;
    const element = this.#found.add(rule);
    if (!this.#tag(element, rule)) return false;
    const { children } = rule;
    if (children !== null && !this.#isEmptyTag) {
      return this.#open.push(element, children, nameStart, nameEnd, declared);
    }
    const isComplete =
      children === null
        ? this.#value(element, rule.value, nameStart, nameEnd)
        : children.nextRequired[0] === children.hashes.length;
    return isComplete && this.#end(element, declared);
  }

  /** Declarations of namespaces, where a tag begins with them. */
  #declarations(): boolean {
    const reader = this.#reader;
    const { bytes, at } = reader;
    if (!reader.pastSpace() || bytes[reader.at] !== LETTER_X || bytes[reader.at + 1] !== LETTER_M) {
      reader.at = at;
      return true;
    }
    reader.at = this.#namespaces.readNested(bytes, at);
    return reader.at !== -1;
  }

  /** The rule of the child whose name was read, where it may come next. */
  #nextChild(): ElementRule | null {
    const open = this.#open;
    const place = open.place(this.#reader.localHash);
    const rule = place === -1 ? undefined : open.children.elements[place];
    return rule !== undefined && this.#isElement(rule) && open.advance(place) ? rule : null;
  }

  #isElement(rule: ElementRule): boolean {
    const reader = this.#reader;
    if (!reader.isNamed(rule.name.bytes)) return false;
    return this.#namespaces.resolve(reader.nameStart, reader.localStart, reader.prefixHash) === rule.namespace;
  }

  #close(): boolean {
    const open = this.#open;
    if (!open.isComplete() || !this.#reader.closingTag(open.nameStart, open.nameEnd)) return false;
    this.#end(open.element, open.declared);
    open.depth -= 1;
    return true;
  }

  #end(element: number, declared: number): boolean {
    this.#found.end(element);
    this.#namespaces.leave(declared);
    return true;
  }

  /** The rest of a start tag behind its name. */
  #tag(element: number, { attributes, requiredAttributes }: ElementRule): boolean {
    const reader = this.#reader;
    const { bytes } = reader;
    let seen = 0;
    for (;;) {
      const hasSpace = reader.pastSpace();
      const byte = bytes[reader.at];
      if (byte === GREATER || byte === SLASH) break;
      if (!hasSpace || !reader.name(reader.at) || reader.localStart !== reader.nameStart) return false;
      const place = this.#placeAmong(attributes);
      if (place === -1 || (seen & (1 << place)) !== 0) return false;
      if (!this.#attribute(element, place, attributes[place]?.rule)) return false;
      seen |= 1 << place;
    }
    this.#isEmptyTag = bytes[reader.at] === SLASH;
    if (this.#isEmptyTag && bytes[reader.at + 1] !== GREATER) return false;
    reader.at += this.#isEmptyTag ? 2 : 1;
    return (seen & requiredAttributes) === requiredAttributes;
  }

  #placeAmong(attributes: readonly AttributeRule[]): number {
    const reader = this.#reader;
    for (let at = 0; at < attributes.length; at += 1) {
      const { name } = attributes[at] as AttributeRule;
      if (name.hash === reader.localHash && reader.isNamed(name.bytes)) return at;
    }
    return -1;
  }

  #attribute(element: number, place: number, rule: ValueRule | undefined): boolean {
    const reader = this.#reader;
    const quote = reader.opening();
    if (quote === -1 || rule === undefined) return false;
    const start = reader.at;
    const end = reader.endOfText(quote, false);
    if (end === -1 || (rule.kind === 'bytes' && !rule.check(reader.bytes, start, end))) return false;
    this.#found.attributes.push(element, place, start, end);
    reader.at = end + 1;
    return true;
  }

  /** The value of an element and its closing tag. */
  #value(element: number, rule: ValueRule | null, nameStart: number, nameEnd: number): boolean {
    if (rule === null) return false;
    if (this.#isEmptyTag) return rule.kind === 'text';
    const reader = this.#reader;
    const start = reader.at;
    const end = reader.endOfText(LESS, rule.kind === 'bytes' || rule.allowsBreaks);
    if (end === -1 || (rule.kind === 'bytes' && !isValue(rule, reader.bytes, start, end))) return false;
    this.#found.setValue(element, start, end);
    reader.at = end;
    return reader.closingTag(nameStart, nameEnd);
  }
}

function isValue({ check, ignoresSpace }: BytesRule, bytes: Uint8Array, start: number, end: number): boolean {
  if (!ignoresSpace) return check(bytes, start, end);
  let first = start;
  let last = end;
  while (first < last && SPACE_BYTES[bytes[first] ?? 0] === 1) first += 1;
  while (last > first && SPACE_BYTES[bytes[last - 1] ?? 0] === 1) last -= 1;
  return check(bytes, first, last);
}
