import type { UnconvertedKind } from '../../../domain/documents/unconverted-element.ts';
import type { ContentElement } from '../content/content-of-element.ts';

/**
 * What becomes of an element on the way to the authority. It is sent; it only decides what is sent, or whether; a value of the
 * authority's own stands for it (a name from the taxpayers' register, the note of a VAT indicator); it says nothing that the
 * authority asks for, because it is about the file or follows from other elements; or it is left out, which is a warning.
 */
export type ElementUse = 'sent' | 'decides' | 'replaced' | 'says-nothing' | LeftOut | ElementUses | UseByContent;

export type LeftOut = { readonly leftOut: UnconvertedKind };

/** The uses of the elements in an element, by their names. */
export type ElementUses = ReadonlyMap<string, ElementUse>;

/** For elements of which some are sent and others are not. What the parent says is looked at once for all of a name; `index` counts them. */
export type UseByContent = (parent: ContentElement) => UseOfOne;

export type UseOfOne = (element: ContentElement, index: number) => ElementUse;

/** The row for elements of any other name; without it they are undecided, and left out with a warning. */
export const ANY_OTHER = '*';

export function uses(...rows: readonly (readonly (readonly [string, ElementUse])[])[]): ElementUses {
  return new Map(rows.flat());
}

export function row(use: ElementUse, ...names: readonly string[]): readonly (readonly [string, ElementUse])[] {
  return names.map((name) => [name, use]);
}

export function leftOut(kind: UnconvertedKind): LeftOut {
  return { leftOut: kind };
}
