import type { UnconvertedElement, UnconvertedKind } from '../../../domain/documents/unconverted-element.ts';
import type { ContentElement } from '../content/content-of-element.ts';
import { ANY_OTHER, type ElementUse, type ElementUses } from './element-use.ts';
import { DOCUMENT } from './uses-in-documents.ts';

/** A document can have thousands of lines with a note each: a few places are enough to find the others. */
const MOST_PLACES = 3;

type Found = { count: number; readonly paths: string[] };

/** The elements of a document that are neither sent nor used, by their kinds, in the order of the document. */
export class UnconvertedElements {
  readonly #found = new Map<UnconvertedKind, Found>();
  readonly #undecided: string[] = [];

  add(kind: UnconvertedKind, path: string): void {
    const known = this.#found.get(kind);
    if (known === undefined) {
      this.#found.set(kind, { count: 1, paths: [path] });
      return;
    }
    known.count += 1;
    if (known.paths.length < MOST_PLACES) known.paths.push(path);
  }

  addFrom(document: ContentElement): void {
    this.#visit(document, DOCUMENT);
  }

  all(): readonly UnconvertedElement[] {
    return [...this.#found].map(([kind, { count, paths }]) => ({ kind, count, paths }));
  }

  /** The first few elements that no row speaks of. */
  get undecided(): readonly string[] {
    return this.#undecided;
  }

  #visit(parent: ContentElement, table: ElementUses): void {
    for (const name of parent.childNames()) {
      const use = table.get(name) ?? table.get(ANY_OTHER);
      if (typeof use === 'string') continue;
      const useOfOne = typeof use === 'function' ? use(parent) : () => use;
      parent.children(name).forEach((child, index) => {
        this.#visitOne(child, useOfOne(child, index));
      });
    }
  }

  #visitOne(element: ContentElement, use: ElementUse | undefined): void {
    if (typeof use === 'string') return;
    if (use instanceof Map) {
      this.#visit(element, use);
    } else if (use !== undefined && 'leftOut' in use) {
      // Attached bytes are not read: there may be megabytes of them.
      if (use.leftOut === 'attachment' || element.value !== null) this.add(use.leftOut, element.path);
    } else if (element.value !== null) {
      this.add('other', element.path);
      if (this.#undecided.length < MOST_PLACES) this.#undecided.push(element.path);
    }
  }
}
