/**
 * This file and xml-tree.ts use libxml2 below the published interface of libxml2-wasm, whose version is therefore pinned. Two
 * reasons, measured: the published interface gives every error a path that costs a walk over all siblings, so that 40,000 errors take
 * 8 s instead of 0.14 s and ten times as many a hundred times as long; and a walk over a 9 kB invoice by its node objects takes
 * 0.26 ms, more than parsing it, where reading the facts here takes 0.05 ms.
 */
import type { XsdValidator } from 'libxml2-wasm';
import { ParseOption } from 'libxml2-wasm';
import * as libxml2 from 'libxml2-wasm/lib/libxml2.mjs';

declare module 'libxml2-wasm/lib/libxml2.mjs' {
  function addFunction(handler: (context: number, error: number) => void, signature: string): number;
}

/** A node of a parsed document: its address in the memory of the WebAssembly instance, 0 for none. */
export type NodeAddress = number;

export type LibraryError = {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly node: NodeAddress;
};

/** As many as a submission is told of, and more: several errors may be about one element. */
const USUAL_ERRORS = 20;
const ERROR_LEVEL = 2;

let errors: LibraryError[] = [];
let mostErrors = USUAL_ERRORS;
const collectError = libxml2.addFunction((_context, error) => {
  if (errors.length >= mostErrors || libxml2.XmlErrorStruct.level(error) < ERROR_LEVEL) return;
  errors.push({
    message: libxml2.XmlErrorStruct.message(error).trim(),
    line: libxml2.XmlErrorStruct.line(error),
    column: libxml2.XmlErrorStruct.col(error),
    node: libxml2.XmlErrorStruct.node(error),
  });
}, 'vii');

/** White space between elements is dropped, which our schemas ignore; no entity is substituted, nothing is included or fetched. */
const PARSE_OPTIONS =
  ParseOption.XML_PARSE_NONET |
  ParseOption.XML_PARSE_NO_XXE |
  ParseOption.XML_PARSE_NOBLANKS |
  ParseOption.XML_PARSE_SKIP_IDS |
  ParseOption.XML_PARSE_COMPACT;

/** Below this size no text node can reach the parser's limit of 10,000,000 bytes, so none of its limits has to be lifted. */
const LARGE_BYTES = 10_000_000;

export class ParsedXml implements Disposable {
  readonly root: NodeAddress;
  readonly #document: number;

  constructor(document: number) {
    this.#document = document;
    this.root = libxml2.xmlDocGetRootElement(document);
  }

  get version(): string {
    return libxml2.XmlDocStruct.version(this.#document);
  }

  get hasDoctype(): boolean {
    return libxml2.xmlGetIntSubset(this.#document) !== 0;
  }

  /** The first errors against the schema. */
  validate(schema: XsdValidator, most = USUAL_ERRORS): readonly LibraryError[] {
    const context = libxml2.xmlSchemaNewValidCtxt(addressOf(schema));
    errors = [];
    mostErrors = most;
    libxml2.xmlSchemaSetValidStructuredErrors(context, collectError, 0);
    const result = libxml2.xmlSchemaValidateDoc(context, this.#document);
    libxml2.xmlSchemaFreeValidCtxt(context);
    if (result < 0 || (result > 0 && errors.length === 0)) {
      throw new Error(`Schema validation failed inside the library with result ${result}`);
    }
    return errors;
  }

  [Symbol.dispose](): void {
    libxml2.xmlFreeDoc(this.#document);
  }
}

/**
 * Parses UTF-8 text, whatever encoding its declaration names; the caller disposes the document. `surveyed` means that the text was
 * scanned to its end, has no DOCTYPE and is within our limits: then a single value may be as long as the text.
 */
export function parseXml(utf8: Buffer, surveyed: boolean): ParsedXml | readonly LibraryError[] {
  const liftLimits = surveyed && utf8.length >= LARGE_BYTES;
  const options = liftLimits ? PARSE_OPTIONS | ParseOption.XML_PARSE_HUGE : PARSE_OPTIONS;
  const context = libxml2.xmlNewParserCtxt();
  errors = [];
  mostErrors = USUAL_ERRORS;
  libxml2.xmlCtxtSetErrorHandler(context, collectError, 0);
  const document = libxml2.xmlReadMemory(context, utf8, null, 'UTF-8', options);
  libxml2.xmlFreeParserCtxt(context);
  if (document !== 0 && errors.length === 0) return new ParsedXml(document);
  if (document !== 0) libxml2.xmlFreeDoc(document);
  return errors;
}

function addressOf(schema: XsdValidator): number {
  const address: unknown = Reflect.get(schema, '_ptr');
  if (typeof address !== 'number')
    throw new Error('The compiled schema has no address: another version of libxml2-wasm?');
  return address;
}
