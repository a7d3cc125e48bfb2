import { nameBytes } from './name-hash.ts';
import { APOSTROPHE, COLON, EQUALS, GREATER, NAME_BYTES, QUOTE, SLASH, SPACE_BYTES } from './xml-bytes.ts';

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';
const XMLNS = 'xmlns';
const MAX_ATTRIBUTES = 40;
const MAX_VALUE_BYTES = 2000;
/** The survey of the slow way allows 256 of them, and 256 bytes. */
const MAX_IN_SCOPE = 100;
const MAX_NAMESPACE_BYTES = 200;
/** The parser takes names of 50,000 bytes at most. */
const MAX_PREFIX_BYTES = 100;
const PREFIX = /^[A-Za-z_][A-Za-z0-9._-]*$/u;
/** Absolute, and without a character that has a meaning in XML or, apart from one `#`, in an address. */
const NAMESPACE =
  /^(?:[A-Za-z][A-Za-z0-9]*:[A-Za-z0-9][A-Za-z0-9:._-]*|https?:\/\/[A-Za-z0-9._/-]+(?:#[A-Za-z0-9._/-]*)?)$/u;
/** Those that only certain prefixes may have. */
const RESERVED = new Set(['http://www.w3.org/XML/1998/namespace', 'http://www.w3.org/2000/xmlns/']);
/** Where a sender has its schemas. */
const LOCATION_NAME = /^(?<prefix>[^:]+):(?<local>schemaLocation|noNamespaceSchemaLocation)$/u;
const LOCATION = /^[A-Za-z0-9:._/#()~%+@-]+$/u;
const SPACES = /[ \t\r\n]+/u;

type Attribute = { readonly name: string; readonly value: string };
type Declaration = { readonly prefix: string; readonly hash: number; readonly namespace: string };

type KnownRoot = { readonly tag: Buffer; readonly declarations: readonly Declaration[] };

const MOST_KNOWN_ROOTS = 8;

/** The namespaces that a document has declared, those of the innermost element last. */
export class NamespaceDeclarations {
  readonly #ofSchemas: ReadonlyMap<string, string>;
  #bytes: Buffer = Buffer.alloc(0);
  readonly #inScope: Declaration[] = [];
  /** The last root tags from their first attribute on: a sender's documents all begin alike. */
  readonly #knownRoots: KnownRoot[] = [];
  #nextKnown = 0;

  /** Namespaces of the schemas are given back as the very strings that come in here: comparing those looks at no character. */
  constructor(ofSchemas: readonly string[]) {
    this.#ofSchemas = new Map(ofSchemas.map((namespace) => [namespace, namespace]));
  }

  get count(): number {
    return this.#inScope.length;
  }

  /** Forgets what was declared since there were so many. */
  leave(count: number): void {
    while (this.#inScope.length > count) this.#inScope.pop();
  }

  /** Reads the attributes of the root; the offset behind its tag, or -1 where one is neither a declaration nor the place of a schema. */
  readRoot(bytes: Buffer, start: number): number {
    this.#bytes = bytes;
    this.leave(0);
    const known = this.#knownRoots.find(({ tag }) => isAt(tag, bytes, start));
    if (known !== undefined) {
      this.#inScope.push(...known.declarations);
      return start + known.tag.length;
    }
    const attributes: Attribute[] = [];
    const end = readAttributes(bytes, start, attributes, () => true);
    if (bytes[end] !== GREATER || !this.#declare(attributes.filter(isDeclaration))) return -1;
    if (hasDoubles(attributes) || !attributes.every((attribute) => this.#isExpected(attribute))) return -1;
    this.#remember(bytes, start, end + 1);
    return end + 1;
  }

  /** Reads the declarations with which the attributes of another element begin; the offset behind them, or -1. */
  readNested(bytes: Buffer, start: number): number {
    const attributes: Attribute[] = [];
    const end = readAttributes(bytes, start, attributes, isDeclaration);
    return end !== -1 && !hasDoubles(attributes) && this.#declare(attributes) ? end : -1;
  }

  /** The namespace of a name by its prefix, which stands before the colon; null where none is declared. */
  resolve(nameStart: number, localStart: number, hash: number): string | null {
    const length = Math.max(0, localStart - nameStart - 1);
    for (let at = this.#inScope.length - 1; at >= 0; at -= 1) {
      const declaration = this.#inScope[at] as Declaration;
      if (declaration.hash === hash && this.#isPrefix(declaration, nameStart, length)) return declaration.namespace;
    }
    return null;
  }

  /** Copied, so that the document itself is not kept. */
  #remember(bytes: Buffer, start: number, end: number): void {
    const tag = Buffer.from(bytes.subarray(start, end));
    this.#knownRoots[this.#nextKnown] = { tag, declarations: [...this.#inScope] };
    this.#nextKnown = (this.#nextKnown + 1) % MOST_KNOWN_ROOTS;
  }

  #declare(attributes: readonly Attribute[]): boolean {
    if (!attributes.every(isUsual)) return false;
    for (const { name, value } of attributes) {
      const prefix = prefixOf(name);
      this.#inScope.push({ prefix, hash: nameBytes(prefix).hash, namespace: this.#ofSchemas.get(value) ?? value });
    }
    return this.#inScope.length <= MAX_IN_SCOPE;
  }

  #isPrefix({ prefix }: Declaration, start: number, length: number): boolean {
    if (prefix.length !== length) return false;
    for (let at = 0; at < length; at += 1) if (this.#bytes[start + at] !== prefix.charCodeAt(at)) return false;
    return true;
  }

  /** A declaration, or where a sender has its schemas: nothing looks for them there. */
  #isExpected(attribute: Attribute): boolean {
    if (isDeclaration(attribute)) return true;
    const name = LOCATION_NAME.exec(attribute.name)?.groups;
    const declaration = this.#inScope.find(({ prefix }) => prefix === name?.['prefix']);
    if (declaration?.namespace !== XSI) return false;
    const parts = attribute.value.split(SPACES).filter((part) => part !== '');
    if (!parts.every((part) => LOCATION.test(part))) return false;
    return name?.['local'] === 'schemaLocation' ? parts.length % 2 === 0 : parts.length === 1;
  }
}

/** The offset of the first byte that is no attribute, or of the first attribute that is not wanted; -1 for malformed ones. */
function readAttributes(
  bytes: Buffer,
  start: number,
  attributes: Attribute[],
  isWanted: (attribute: Attribute) => boolean,
): number {
  let at = start;
  for (;;) {
    const nameStart = pastSpace(bytes, at);
    if (bytes[nameStart] === GREATER || bytes[nameStart] === SLASH) return nameStart;
    const nameEnd = pastName(bytes, nameStart);
    const equals = pastSpace(bytes, nameEnd);
    const opening = pastSpace(bytes, equals + 1);
    const quote = bytes[opening];
    if (nameStart === at || nameEnd === nameStart || bytes[equals] !== EQUALS) return -1;
    if (quote !== QUOTE && quote !== APOSTROPHE) return -1;
    const closing = bytes.indexOf(quote, opening + 1);
    if (closing === -1 || closing - opening > MAX_VALUE_BYTES || attributes.length === MAX_ATTRIBUTES) return -1;
    const name = bytes.toString('latin1', nameStart, nameEnd);
    const attribute = { name, value: bytes.toString('latin1', opening + 1, closing) };
    // The white space before it is left for whoever reads it.
    if (!isWanted(attribute)) return at;
    attributes.push(attribute);
    at = closing + 1;
  }
}

function isAt(tag: Buffer, bytes: Buffer, start: number): boolean {
  const end = start + tag.length;
  return end <= bytes.length && bytes.compare(tag, 0, tag.length, start, end) === 0;
}

/** Two prefixes may stand for one namespace, so of other attributes than declarations the rest of the name counts. */
function hasDoubles(attributes: readonly Attribute[]): boolean {
  const names = attributes.map((attribute) =>
    isDeclaration(attribute) ? attribute.name : attribute.name.replace(/^.*:/u, ''),
  );
  return new Set(names).size < names.length;
}

function isDeclaration({ name }: Attribute): boolean {
  return name === XMLNS || name.startsWith(`${XMLNS}:`);
}

function isUsual({ name, value }: Attribute): boolean {
  const prefix = prefixOf(name);
  const isPrefix = PREFIX.test(prefix) && prefix.length <= MAX_PREFIX_BYTES && !prefix.toLowerCase().startsWith('xml');
  return (
    (name === XMLNS || isPrefix) && value.length <= MAX_NAMESPACE_BYTES && NAMESPACE.test(value) && !RESERVED.has(value)
  );
}

/** The prefix that `xmlns:prefix` declares; empty for `xmlns`. */
function prefixOf(name: string): string {
  return name.slice(XMLNS.length + 1);
}

function pastSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (SPACE_BYTES[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

/** A colon belongs to the name here. */
function pastName(bytes: Buffer, start: number): number {
  let at = start;
  while (NAME_BYTES[bytes[at] ?? 0] === 1 || bytes[at] === COLON) at += 1;
  return at;
}
