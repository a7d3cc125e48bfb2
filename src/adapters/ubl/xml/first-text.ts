import type { ElementRef, XmlTree } from './xml-tree.ts';

/** Longer than any number or name on an invoice; what is longer would only burden every list it appears in. */
const LONGEST_FACT = 500;

export type Filled = { readonly element: ElementRef; readonly text: string };

/** The first element along a path with a text that is not blank: a blank element counts as a missing one. */
export function firstFilled(tree: XmlTree, parent: ElementRef, path: readonly string[]): Filled | null {
  const [name, ...rest] = path;
  if (name === undefined) {
    const text = factText(tree.text(parent));
    return text === null ? null : { element: parent, text };
  }
  for (const child of tree.childrenNamed(parent, name)) {
    const filled = firstFilled(tree, child, rest);
    if (filled !== null) return filled;
  }
  return null;
}

export function firstText(tree: XmlTree, parent: ElementRef, path: readonly string[]): string | null {
  return firstFilled(tree, parent, path)?.text ?? null;
}

/** Outer blanks removed, line breaks and tabs as blanks, as `xs:normalizedString` has it; null for a blank text. */
export function factText(text: string): string | null {
  const normal = text.trim().replace(/[\t\n\r]/gu, ' ');
  if (normal === '') return null;
  return normal.length <= LONGEST_FACT ? normal : [...normal.slice(0, LONGEST_FACT)].slice(0, -1).join('');
}
