import type { ContentCode, DocumentFinding, RefusedDocument } from '../../../application/ports/document-reader.ts';
import { type Finding, renderDetail } from '../../../domain/messages/detail.ts';
import { OPERATOR_LANGUAGE } from '../../../domain/messages/languages.ts';
import { type Message, message } from '../../../domain/messages/message.ts';
import { shortPath, shortText, visibleText } from '../../../domain/values/one-line-text.ts';

export type { RefusedDocument } from '../../../application/ports/document-reader.ts';
export type { Finding, Place } from '../../../domain/messages/detail.ts';

const MAX_PATH_LENGTH = 200;
const MAX_QUOTE_LENGTH = 60;

export function refuse(code: ContentCode, findings: readonly Finding[]): RefusedDocument {
  return { outcome: 'refused', code, findings, detail: renderDetail(OPERATOR_LANGUAGE, findings) };
}

/** A finding as it is shown by itself. */
export function shownFinding({ place, said }: Finding): DocumentFinding {
  const path = place === null || place.path === null ? null : shortPath(place.path, MAX_PATH_LENGTH);
  return { line: place?.line ?? null, path, said };
}

/** A value of a document in quotation marks, safe to show: short, on one line, without characters that nobody sees. */
export function quoted(value: string): Message {
  return message('quotation', { text: visibleText(value, MAX_QUOTE_LENGTH) });
}

/** The same without quotation marks, for names of elements and attributes, which can have any length too. */
export function nameText(name: string): string {
  return shortText(name, MAX_QUOTE_LENGTH);
}
