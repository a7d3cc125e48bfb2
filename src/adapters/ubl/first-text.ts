import type { ElementRef, XmlTree } from './xml-tree.ts';

/** Longer than any number or name on an invoice; what is longer would only burden every list it appears in. */
const LONGEST_FACT = 500;

/** The first text along a path that is not blank, or null: a blank element counts as a missing one. */
export function firstText(tree: XmlTree, parent: ElementRef, path: readonly string[]): string | null {
  const [name, ...rest] = path;
  if (name === undefined) return factText(tree.text(parent));
  for (const child of tree.childrenNamed(parent, name)) {
    const text = firstText(tree, child, rest);
    if (text !== null) return text;
  }
  return null;
}

/** Outer blanks removed, line breaks and tabs as blanks, as `xs:normalizedString` has it; null for a blank text. */
export function factText(text: string): string | null {
  const normal = text.trim().replace(/[\t\n\r]/gu, ' ');
  if (normal === '') return null;
  return normal.length <= LONGEST_FACT ? normal : [...normal.slice(0, LONGEST_FACT)].slice(0, -1).join('');
}
