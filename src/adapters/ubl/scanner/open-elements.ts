import type { ChildRules } from './scanner-tables.ts';

/** UBL has no deeper documents unless someone nests them on purpose. */
const MAX_DEPTH = 48;

/** The elements that are open, and how far each has come in the sequence of its children. */
export class OpenElements {
  depth = 0;
  readonly #elements = new Int32Array(MAX_DEPTH);
  readonly #children: ChildRules[] = [];
  /** Start and end of the names in their tags. */
  readonly #names = new Int32Array(2 * MAX_DEPTH);
  /** How many namespaces were declared outside of them. */
  readonly #declared = new Int32Array(MAX_DEPTH);
  /** The place of the last child, and whether there is one. */
  readonly #cursors = new Int32Array(MAX_DEPTH);
  readonly #isMet = new Uint8Array(MAX_DEPTH);

  get element(): number {
    return this.#elements[this.depth - 1] ?? 0;
  }

  get nameStart(): number {
    return this.#names[2 * (this.depth - 1)] ?? 0;
  }

  get nameEnd(): number {
    return this.#names[2 * (this.depth - 1) + 1] ?? 0;
  }

  get declared(): number {
    return this.#declared[this.depth - 1] ?? 0;
  }

  get children(): ChildRules {
    return this.#children[this.depth - 1] as ChildRules;
  }

  /** False where elements are nested too deep. */
  push(element: number, children: ChildRules, nameStart: number, nameEnd: number, declared: number): boolean {
    const level = this.depth;
    if (level === MAX_DEPTH) return false;
    this.#elements[level] = element;
    this.#children[level] = children;
    this.#names[2 * level] = nameStart;
    this.#names[2 * level + 1] = nameEnd;
    this.#declared[level] = declared;
    this.#cursors[level] = 0;
    this.#isMet[level] = 0;
    this.depth = level + 1;
    return true;
  }

  /** The place of the next child with a name of this number, from the last child's on; -1 where there is none. */
  place(hash: number): number {
    const { hashes } = this.children;
    for (let place = this.#cursors[this.depth - 1] ?? 0; place < hashes.length; place += 1) {
      if (hashes[place] === hash) return place;
    }
    return -1;
  }

  /** Goes on to the child at a place; false where one before it is missing, or where it may not be there twice. */
  advance(place: number): boolean {
    const level = this.depth - 1;
    const { areRepeatable } = this.children;
    const cursor = this.#cursors[level] ?? 0;
    const isMet = this.#isMet[level] ?? 0;
    if (place === cursor && isMet === 1) return areRepeatable[place] === true;
    if (this.#missing(cursor + isMet) < place) return false;
    this.#cursors[level] = place;
    this.#isMet[level] = 1;
    return true;
  }

  /** Whether the last open element has all that it must have. */
  isComplete(): boolean {
    const level = this.depth - 1;
    return this.#missing((this.#cursors[level] ?? 0) + (this.#isMet[level] ?? 0)) === this.children.hashes.length;
  }

  /** The first place from this one on whose child must be there. */
  #missing(from: number): number {
    return this.children.nextRequired[from] ?? 0;
  }
}
