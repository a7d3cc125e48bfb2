import { type Message, message } from '../../../domain/messages/message.ts';
import { isTenantFieldAt } from '../judging/tenant-field-bytes.ts';
import { isXmlSpace, XmlScanner } from './xml-scanner.ts';

const XMLNS = [...Buffer.from('xmlns')];
const COLON = 0x3a;

/** Real invoices stay under 20 levels, signatures included; the parser's own limit is 256. */
const MAX_DEPTH = 128;
/** The richest UBL element has about ten attributes; a root that declares every known namespace stays under fifty. */
const MAX_ATTRIBUTES = 256;
/** Each prefix of a name is searched among all declarations in scope: a few tags with hundreds each took half a minute. */
const MAX_NAMESPACES_IN_SCOPE = 256;
/**
 * Validation reads the name of an element's namespace again for each element that is in it: a name of 100 kB for twenty thousand
 * of them took ten seconds. The longest in use have about a hundred bytes.
 */
const MAX_NAMESPACE_BYTES = 256;
/** Text in pieces is put together piece by piece, each time from the start: a million comments in a text would take hours. */
const MAX_PIECES = 64;
/**
 * Every element, attribute, comment, instruction and CDATA section costs the parser about 70 bytes of memory, whatever its
 * length. The shortest realistic one, `<ID>1</ID>`, takes ten bytes of the document, so an average below eight is an attack.
 */
const NODES_ALWAYS_ALLOWED = 100_000;
const MIN_BYTES_PER_NODE = 8;

export type ExceededLimit = { readonly what: Message; readonly at: number };
export type DocumentSpan = {
  readonly start: number;
  readonly rootStart: number;
  readonly rootName: string;
  end: number;
};
export type TenantField = { readonly name: string; readonly kind: 'element' | 'attribute'; readonly at: number };

export type XmlSurvey = {
  /** The offset of a DOCTYPE, or -1. */
  doctypeAt: number;
  exceeded: ExceededLimit | null;
  /** The first tenant-identifying field with the path of its element. */
  tenantField: (TenantField & { readonly path: string }) | null;
  /** The documents that follow each other in the text, the last perhaps unfinished. */
  readonly documents: DocumentSpan[];
  /** Whether the scan reached the end of the text; only then do the results hold for all of it. */
  complete: boolean;
};

/** One scan of the text before it is parsed: finds what the parser must not be given, and where documents begin and end. */
export function surveyXml(utf8: Buffer): XmlSurvey {
  return new Surveyor(utf8).survey();
}

class Surveyor {
  readonly #utf8: Buffer;
  readonly #scanner: XmlScanner;
  readonly #open = new Int32Array(2 * (MAX_DEPTH + 1));
  readonly #maxNodes: number;
  readonly #result: XmlSurvey = {
    doctypeAt: -1,
    exceeded: null,
    tenantField: null,
    documents: [],
    complete: false,
  };
  #depth = 0;
  #nodes = 0;
  /** Namespace declarations in scope within the element that is open at each depth, and within the last one. */
  readonly #namespaces = new Int32Array(MAX_DEPTH + 2);
  #inScope = 0;
  #longestNamespace = 0;
  /** Comments, instructions and CDATA sections since the last tag. */
  #pieces = 0;
  #declaredAt = -1;

  constructor(utf8: Buffer) {
    this.#utf8 = utf8;
    this.#scanner = new XmlScanner(utf8, 0, MAX_ATTRIBUTES);
    this.#maxNodes = Math.max(NODES_ALWAYS_ALLOWED, utf8.length / MIN_BYTES_PER_NODE);
  }

  survey(): XmlSurvey {
    while (this.#step()) if (this.#overLimit()) break;
    return this.#result;
  }

  #step(): boolean {
    const before = this.#scanner.position;
    const token = this.#scanner.next();
    if (this.#depth === 0 && !this.#onlySpace(before, this.#scanner.start)) return false;
    switch (token) {
      case 'start':
        return this.#element(true);
      case 'empty':
        return this.#element(false);
      case 'close':
        return this.#close();
      case 'declaration':
        return this.#declaration();
      case 'other':
        this.#nodes += 1;
        this.#pieces += 1;
        return true;
      case 'doctype':
        this.#result.doctypeAt = this.#scanner.start;
        return false;
      case 'end':
        this.#result.complete = this.#depth === 0;
        return false;
      default:
        return false;
    }
  }

  #element(hasContent: boolean): boolean {
    const scanner = this.#scanner;
    this.#nodes += 1 + scanner.attributes;
    this.#pieces = 0;
    this.#inScope = (this.#namespaces[this.#depth] ?? 0) + this.#declaredNamespaces();
    this.#namespaces[this.#depth + 1] = this.#inScope;
    if (this.#depth === 0) this.#begin();
    this.#open[2 * this.#depth] = scanner.nameStart;
    this.#open[2 * this.#depth + 1] = scanner.nameEnd;
    if (this.#result.tenantField === null) this.#lookForTenantField();
    if (hasContent) this.#depth += 1;
    else if (this.#depth === 0) this.#finish();
    return true;
  }

  #close(): boolean {
    this.#pieces = 0;
    if (this.#depth === 0) return false;
    this.#depth -= 1;
    if (this.#depth === 0) this.#finish();
    return true;
  }

  /** A declaration after a finished document opens the next one; anywhere else the parser reports it. */
  #declaration(): boolean {
    if (this.#depth === 0 && this.#result.documents.length > 0) this.#declaredAt = this.#scanner.start;
    this.#nodes += 1;
    return true;
  }

  #begin(): void {
    const { start: rootStart, nameStart, nameEnd } = this.#scanner;
    const following = this.#declaredAt === -1 ? rootStart : this.#declaredAt;
    const start = this.#result.documents.length === 0 ? 0 : following;
    const rootName = this.#text(nameStart, nameEnd);
    this.#result.documents.push({ start, rootStart, rootName, end: this.#utf8.length });
    this.#declaredAt = -1;
  }

  #finish(): void {
    const last = this.#result.documents.at(-1);
    if (last !== undefined) last.end = this.#scanner.position;
  }

  #overLimit(): boolean {
    const what = this.#tooMany();
    if (what !== null) this.#result.exceeded = { what, at: this.#scanner.start };
    return what !== null;
  }

  #tooMany(): Message | null {
    if (this.#depth > MAX_DEPTH) return message('too-many-levels', { most: MAX_DEPTH });
    if (this.#scanner.attributes > MAX_ATTRIBUTES) return message('too-many-attributes', { most: MAX_ATTRIBUTES });
    if (this.#inScope > MAX_NAMESPACES_IN_SCOPE)
      return message('too-many-namespaces', { most: MAX_NAMESPACES_IN_SCOPE });
    if (this.#longestNamespace > MAX_NAMESPACE_BYTES)
      return message('too-long-namespaces', { most: MAX_NAMESPACE_BYTES });
    if (this.#pieces > MAX_PIECES) return message('too-many-pieces', { most: MAX_PIECES });
    if (this.#nodes <= this.#maxNodes) return null;
    const most = Math.floor(this.#maxNodes).toLocaleString('en');
    const bytes = this.#utf8.length.toLocaleString('en');
    return message('too-many-nodes', { most, bytes });
  }

  #declaredNamespaces(): number {
    const { attributes, attributeNames, valueLengths } = this.#scanner;
    let declared = 0;
    for (let index = 0; index < Math.min(attributes, MAX_ATTRIBUTES); index += 1) {
      const start = attributeNames[2 * index] ?? 0;
      if (!isDeclaration(this.#utf8, start, attributeNames[2 * index + 1] ?? 0)) continue;
      declared += 1;
      this.#longestNamespace = Math.max(this.#longestNamespace, valueLengths[index] ?? 0);
    }
    return declared;
  }

  #lookForTenantField(): void {
    const { nameStart, nameEnd, attributes, attributeNames } = this.#scanner;
    if (isTenantFieldAt(this.#utf8, this.#localStart(nameStart, nameEnd), nameEnd)) {
      this.#foundTenantField('element', nameStart, nameEnd);
    }
    const length = Math.min(2 * attributes, attributeNames.length);
    for (let index = 0; index < length && this.#result.tenantField === null; index += 2) {
      const start = attributeNames[index] ?? 0;
      const end = attributeNames[index + 1] ?? 0;
      const local = this.#localStart(start, end);
      // `xmlns:tenant` declares a prefix; it is not a field.
      if (!isTenantFieldAt(this.#utf8, local, end) || this.#text(start, local) === 'xmlns:') continue;
      this.#foundTenantField('attribute', start, end);
    }
  }

  #foundTenantField(kind: TenantField['kind'], start: number, end: number): void {
    const names = Array.from({ length: this.#depth + 1 }, (_, level) =>
      this.#text(this.#open[2 * level] ?? 0, this.#open[2 * level + 1] ?? 0),
    );
    this.#result.tenantField = { kind, name: this.#text(start, end), at: start, path: `/${names.join('/')}` };
  }

  #localStart(start: number, end: number): number {
    for (let at = start; at < end; at += 1) if (this.#utf8[at] === COLON) return at + 1;
    return start;
  }

  /** Between documents a byte order mark counts as white space: each of several concatenated files may begin with one. */
  #onlySpace(from: number, to: number): boolean {
    for (let at = from; at < to; at += 1) {
      if (isXmlSpace(this.#utf8[at])) continue;
      if (this.#result.documents.length === 0 || this.#text(at, at + 3) !== '\u{FEFF}') return false;
      at += 2;
    }
    return true;
  }

  #text(start: number, end: number): string {
    return this.#utf8.toString('utf8', start, end);
  }
}

/** Whether an attribute is called `xmlns` or `xmlns:…`. */
function isDeclaration(utf8: Buffer, start: number, end: number): boolean {
  if (end - start < XMLNS.length || (end - start > XMLNS.length && utf8[start + XMLNS.length] !== COLON)) return false;
  return XMLNS.every((byte, index) => utf8[start + index] === byte);
}
