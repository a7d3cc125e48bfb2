import type { ContentCode, DocumentFinding } from '../../../application/ports/document-reader.ts';
import { quotedText, shortPath, shortText } from '../../../domain/values/one-line-text.ts';

/** Where in the document something was found; line and column count from one, the column in characters. */
export type Place = { readonly line: number; readonly column: number; readonly path: string | null };

export type Finding = { readonly place: Place | null; readonly text: string };

export type RefusedDocument = { readonly outcome: 'refused'; readonly code: ContentCode; readonly detail: string };

/** Why a document is refused: as a submission is told, and finding by finding. */
export type Refusal = RefusedDocument & { readonly findings: readonly Finding[] };

export const MAX_FINDINGS = 5;
const MAX_TEXT_LENGTH = 390;
const MAX_DETAIL_LENGTH = 2000;
const MAX_QUOTE_LENGTH = 60;
const MAX_PATH_LENGTH = 200;

/** Refuses with at most five findings in the detail, whose length is bounded each and together. */
export function refuse(code: ContentCode, findings: readonly Finding[]): Refusal {
  const sentences = new Set(findings.map((finding) => shortText(sentence(finding), MAX_TEXT_LENGTH)));
  const detail = shortText([...sentences].slice(0, MAX_FINDINGS).join(' '), MAX_DETAIL_LENGTH);
  return { outcome: 'refused', code, detail, findings };
}

/** A finding as it is shown by itself: of bounded length. */
export function shownFinding({ place, text }: Finding): DocumentFinding {
  const path = place === null || place.path === null ? null : shortPath(place.path, MAX_PATH_LENGTH);
  return { line: place?.line ?? null, path, text: shortText(text, MAX_TEXT_LENGTH) };
}

function sentence({ place, text }: Finding): string {
  if (place === null) return text;
  const path = place.path === null ? '' : `, ${shortPath(place.path, MAX_PATH_LENGTH)}`;
  return `Line ${place.line}, column ${place.column}${path}: ${text}`;
}

/** A value of a document in quotation marks, safe to show: short, on one line, without control characters. */
export function quoted(value: string): string {
  return quotedText(value, MAX_QUOTE_LENGTH);
}

/** The same without quotation marks, for names of elements and attributes, which can have any length too. */
export function nameText(name: string): string {
  return shortText(name, MAX_QUOTE_LENGTH);
}
