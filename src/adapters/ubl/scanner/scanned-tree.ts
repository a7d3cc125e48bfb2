import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import type { ReadableTree } from '../xml/readable-tree.ts';
import type { ElementRule, ScannerTables } from './scanner-tables.ts';
import { plainText } from './xml-bytes.ts';

/** Where the elements of a scanned document are, in its order. */
export type ScannedElements = {
  readonly rules: readonly ElementRule[];
  readonly ends: Int32Array;
  readonly values: Int32Array;
  readonly attributes: readonly number[];
};

type Names = Pick<ScannerTables, 'ids' | 'names'>;

const NO_ELEMENTS: readonly number[] = [];
/** An attribute is four numbers: element, place among the attributes of its rule, start and end. */
const ATTRIBUTE_NUMBERS = 4;

/** Reads a scanned document by the usual names (`cbc:ID`), whatever prefixes it uses. An element is its place in the document. */
export class ScannedTree implements ReadableTree {
  readonly root = 0;
  readonly #names: Names;
  readonly #bytes: Buffer;
  readonly #elements: ScannedElements;

  constructor(names: Names, bytes: Buffer, elements: ScannedElements) {
    this.#names = names;
    this.#bytes = bytes;
    this.#elements = elements;
  }

  get kind(): DocumentKind {
    return this.#names.ids.get('Invoice') === this.#elements.rules[0]?.id ? 'Invoice' : 'CreditNote';
  }

  childrenNamed(parent: number, name: string): readonly number[] {
    const { rules, ends } = this.#elements;
    const wanted = this.#names.ids.get(name);
    if (wanted === undefined) return NO_ELEMENTS;
    const found: number[] = [];
    const end = ends[parent] ?? 0;
    for (let at = parent + 1; at < end; at = ends[at] ?? end) if (rules[at]?.id === wanted) found.push(at);
    return found;
  }

  *childNames(parent: number): Generator<string> {
    const { rules, ends } = this.#elements;
    const seen = new Set<number>();
    const end = ends[parent] ?? 0;
    for (let at = parent + 1; at < end; at = ends[at] ?? end) {
      const { id = -1 } = rules[at] ?? {};
      if (seen.has(id)) continue;
      seen.add(id);
      yield this.#names.names[id] ?? '';
    }
  }

  text(element: number): string {
    const end = this.#elements.ends[element] ?? 0;
    let text = this.#value(element);
    for (let at = element + 1; at < end; at += 1) text += this.#value(at);
    return text;
  }

  attribute(element: number, name: string): string | null {
    const { attributes, rules } = this.#elements;
    const wanted = rules[element]?.attributes.findIndex(({ text }) => text === name);
    for (let at = this.#firstAttribute(element); attributes[at] === element; at += ATTRIBUTE_NUMBERS) {
      if (attributes[at + 1] === wanted) return this.#text(attributes[at + 2] ?? 0, attributes[at + 3] ?? 0);
    }
    return null;
  }

  /** Where those of the element begin, if it has any: they are in the order of the elements. */
  #firstAttribute(element: number): number {
    const { attributes } = this.#elements;
    let first = 0;
    let behind = attributes.length / ATTRIBUTE_NUMBERS;
    while (first < behind) {
      const middle = (first + behind) >> 1;
      if ((attributes[middle * ATTRIBUTE_NUMBERS] ?? 0) < element) first = middle + 1;
      else behind = middle;
    }
    return first * ATTRIBUTE_NUMBERS;
  }

  /** The text between the tags of an element that has no others in it. */
  #value(element: number): string {
    const { values } = this.#elements;
    return this.#text(values[2 * element] ?? 0, values[2 * element + 1] ?? 0);
  }

  #text(start: number, end: number): string {
    return plainText(this.#bytes.toString('utf8', start, end));
  }
}
