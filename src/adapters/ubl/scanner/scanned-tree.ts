import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import type { ReadableTree } from '../xml/readable-tree.ts';
import type { ElementRule } from './scanner-tables.ts';
import { plainText } from './xml-bytes.ts';

/** Where the elements of a scanned document are, in its order. */
export type ScannedElements = {
  readonly rules: readonly ElementRule[];
  readonly ends: Int32Array;
  readonly values: Int32Array;
  readonly attributes: readonly number[];
};

const NO_ELEMENTS: readonly number[] = [];
/** An attribute is four numbers: element, place among the attributes of its rule, start and end. */
const ATTRIBUTE_NUMBERS = 4;

/** Reads a scanned document by the usual names (`cbc:ID`), whatever prefixes it uses. An element is its place in the document. */
export class ScannedTree implements ReadableTree {
  readonly root = 0;
  readonly #ids: ReadonlyMap<string, number>;
  readonly #bytes: Buffer;
  readonly #elements: ScannedElements;

  constructor(ids: ReadonlyMap<string, number>, bytes: Buffer, elements: ScannedElements) {
    this.#ids = ids;
    this.#bytes = bytes;
    this.#elements = elements;
  }

  get kind(): DocumentKind {
    return this.#ids.get('Invoice') === this.#elements.rules[0]?.id ? 'Invoice' : 'CreditNote';
  }

  childrenNamed(parent: number, name: string): readonly number[] {
    const { rules, ends } = this.#elements;
    const wanted = this.#ids.get(name);
    if (wanted === undefined) return NO_ELEMENTS;
    const found: number[] = [];
    const end = ends[parent] ?? 0;
    for (let at = parent + 1; at < end; at = ends[at] ?? end) if (rules[at]?.id === wanted) found.push(at);
    return found;
  }

  /** The value of an element that can have one. */
  text(element: number): string {
    const { values } = this.#elements;
    return this.#text(values[2 * element] ?? 0, values[2 * element + 1] ?? 0);
  }

  attribute(element: number, name: string): string | null {
    const { attributes, rules } = this.#elements;
    const wanted = rules[element]?.attributes.findIndex(({ text }) => text === name);
    for (let at = 0; at < attributes.length; at += ATTRIBUTE_NUMBERS) {
      if (attributes[at] !== element || attributes[at + 1] !== wanted) continue;
      return this.#text(attributes[at + 2] ?? 0, attributes[at + 3] ?? 0);
    }
    return null;
  }

  #text(start: number, end: number): string {
    return plainText(this.#bytes.toString('utf8', start, end));
  }
}
