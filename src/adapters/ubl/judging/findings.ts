import type { ContentCode } from '../../../application/ports/document-reader.ts';

/** Where in the document something was found; line and column count from one, the column in characters. */
export type Place = { readonly line: number; readonly column: number; readonly path: string | null };

export type Finding = { readonly place: Place | null; readonly text: string };

export type Refusal = { readonly outcome: 'refused'; readonly code: ContentCode; readonly detail: string };

export const MOST_FINDINGS = 5;
const LONGEST_TEXT = 390;
const LONGEST_DETAIL = 2000;
const LONGEST_QUOTE = 60;
const LONGEST_PATH = 200;

/** Refuses with at most five findings, whose length is bounded each and together. */
export function refuse(code: ContentCode, findings: readonly Finding[]): Refusal {
  const sentences = new Set(findings.map((finding) => cut(sentence(finding), LONGEST_TEXT)));
  const detail = [...sentences].slice(0, MOST_FINDINGS).join(' ').slice(0, LONGEST_DETAIL).toWellFormed();
  return { outcome: 'refused', code, detail };
}

function sentence({ place, text }: Finding): string {
  if (place === null) return text;
  const path = place.path === null ? '' : `, ${shortPath(place.path)}`;
  return `Line ${place.line}, column ${place.column}${path}: ${text}`;
}

/** The end of a path says more than its beginning. */
function shortPath(path: string): string {
  const characters = [...harmless(path)];
  return characters.length <= LONGEST_PATH ? characters.join('') : `…${characters.slice(1 - LONGEST_PATH).join('')}`;
}

/** A value out of a document, fit to be shown: short, on one line, without characters that act on a terminal or a page. */
export function quoted(value: string): string {
  return `“${nameText(value)}”`;
}

/** The same without quotation marks, for the name of an element or attribute, which can have any length too. */
export function nameText(name: string): string {
  return cut(harmless(name), LONGEST_QUOTE);
}

function harmless(text: string): string {
  // Nothing past the cut matters, and a value can be as long as the whole document.
  return text
    .slice(0, 4 * LONGEST_TEXT)
    .trim()
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '\u{FFFD}');
}

function cut(text: string, longest: number): string {
  const characters = [...text.slice(0, 2 * longest)];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}
