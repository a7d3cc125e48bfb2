import { normalText } from '../../../domain/values/normal-text.ts';
import type { ElementNumber, ReadableTree } from './readable-tree.ts';

/** In characters. Longer than any number or name on an invoice; longer values would slow down every list that shows them. */
export const MAX_FACT_LENGTH = 499;

export type NonBlankElement = { readonly element: ElementNumber; readonly text: string };

/** The first element at a path whose text is not blank; blank elements count as missing. */
export function firstNonBlank(
  tree: ReadableTree,
  parent: ElementNumber,
  path: readonly string[],
): NonBlankElement | null {
  const [name, ...rest] = path;
  if (name === undefined) {
    const text = factText(tree.text(parent));
    return text === null ? null : { element: parent, text };
  }
  for (const child of tree.childrenNamed(parent, name)) {
    const found = firstNonBlank(tree, child, rest);
    if (found !== null) return found;
  }
  return null;
}

/** All elements at a path whose text is not blank, in the order of the document. */
export function* nonBlankElements(
  tree: ReadableTree,
  parent: ElementNumber,
  [name, ...rest]: readonly string[],
): Generator<NonBlankElement> {
  if (name === undefined) {
    const text = factText(tree.text(parent));
    if (text !== null) yield { element: parent, text };
    return;
  }
  for (const child of tree.childrenNamed(parent, name)) yield* nonBlankElements(tree, child, rest);
}

export function firstText(tree: ReadableTree, parent: ElementNumber, path: readonly string[]): string | null {
  return firstNonBlank(tree, parent, path)?.text ?? null;
}

/** The text as a document is read, cut where it is longer than a fact; null for a blank text. */
export function factText(text: string): string | null {
  const normal = normalText(text);
  if (normal === null || normal.length <= MAX_FACT_LENGTH) return normal;
  // A character has two units of UTF-16 at most.
  return [...normal.slice(0, 2 * MAX_FACT_LENGTH)].slice(0, MAX_FACT_LENGTH).join('');
}
