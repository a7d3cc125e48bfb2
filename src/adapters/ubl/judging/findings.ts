import type { ContentCode } from '../../../application/ports/document-reader.ts';

/** Where in the document something was found; line and column count from one, the column in characters. */
export type Place = { readonly line: number; readonly column: number; readonly path: string | null };

export type Finding = { readonly place: Place | null; readonly text: string };

export type RefusedDocument = { readonly outcome: 'refused'; readonly code: ContentCode; readonly detail: string };

export const MAX_FINDINGS = 5;
const MAX_TEXT_LENGTH = 390;
const MAX_DETAIL_LENGTH = 2000;
const MAX_QUOTE_LENGTH = 60;
const MAX_PATH_LENGTH = 200;

/** Refuses a document with at most five findings; the length of each and of the whole text is bounded. */
export function refuse(code: ContentCode, findings: readonly Finding[]): RefusedDocument {
  const sentences = new Set(findings.map((finding) => cut(sentence(finding), MAX_TEXT_LENGTH)));
  const detail = [...sentences].slice(0, MAX_FINDINGS).join(' ').slice(0, MAX_DETAIL_LENGTH).toWellFormed();
  return { outcome: 'refused', code, detail };
}

function sentence({ place, text }: Finding): string {
  if (place === null) return text;
  const path = place.path === null ? '' : `, ${shortPath(place.path)}`;
  return `Line ${place.line}, column ${place.column}${path}: ${text}`;
}

/** The end of a path says more than its beginning. */
function shortPath(path: string): string {
  const characters = [...printable(path)];
  return characters.length <= MAX_PATH_LENGTH
    ? characters.join('')
    : `…${characters.slice(1 - MAX_PATH_LENGTH).join('')}`;
}

/** A value of a document in quotation marks, safe to show: short, on one line, without control characters. */
export function quoted(value: string): string {
  return `“${nameText(value)}”`;
}

/** The same without quotation marks, for names of elements and attributes, which can have any length too. */
export function nameText(name: string): string {
  return cut(printable(name), MAX_QUOTE_LENGTH);
}

function printable(text: string): string {
  // Cut first, because a value can be as long as the whole document.
  return text
    .slice(0, 4 * MAX_TEXT_LENGTH)
    .trim()
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '\u{FFFD}');
}

function cut(text: string, maxLength: number): string {
  const characters = [...text.slice(0, 2 * maxLength)];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}
