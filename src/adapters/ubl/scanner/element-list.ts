import type { ElementRule } from './scanner-tables.ts';

const FIRST_CAPACITY = 512;

/** The elements of a document in its order, with the places of their values. */
export class ElementList {
  count = 0;
  rules: ElementRule[] = [];
  /** For each element the place behind its last descendant. */
  ends = new Int32Array(FIRST_CAPACITY);
  /** Start and end of each value; twice 0 for elements without one. */
  values = new Int32Array(2 * FIRST_CAPACITY);
  /** Element, place among the attributes of its rule, start and end of its value, for each attribute. */
  attributes: number[] = [];

  clear(): void {
    this.count = 0;
    this.rules = [];
    this.attributes = [];
  }

  add(rule: ElementRule): number {
    const element = this.count;
    this.count = element + 1;
    this.rules.push(rule);
    if (element === this.ends.length) this.#grow();
    this.values[2 * element] = 0;
    this.values[2 * element + 1] = 0;
    return element;
  }

  setValue(element: number, start: number, end: number): void {
    this.values[2 * element] = start;
    this.values[2 * element + 1] = end;
  }

  end(element: number): void {
    this.ends[element] = this.count;
  }

  #grow(): void {
    this.ends = longer(this.ends);
    this.values = longer(this.values);
  }
}

function longer(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(2 * numbers.length);
  grown.set(numbers);
  return grown;
}
