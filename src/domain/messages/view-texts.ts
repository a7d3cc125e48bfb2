import { DOCUMENT_VIEW } from './en/document-view.ts';
import type { Language } from './languages.ts';
import { DOCUMENT_VIEW as DOCUMENT_VIEW_MK } from './mk/document-view.ts';

export type ViewKey = keyof typeof DOCUMENT_VIEW;

const VIEW_TEXTS: Readonly<Record<Language, Readonly<Record<ViewKey, string>>>> = {
  mk: DOCUMENT_VIEW_MK,
  en: DOCUMENT_VIEW,
};

export type ViewWords = (key: ViewKey) => string;

/** The words of a document for human eyes, in a language. */
export function viewWords(language: Language): ViewWords {
  return (key) => VIEW_TEXTS[language][key];
}

/** The word for a code, such as that of a unit or of a status; null where there is none. */
export function wordForCode(language: Language, prefix: string, code: string): string | null {
  const key = `${prefix}-${code}`;
  const texts: Readonly<Record<string, string>> = VIEW_TEXTS[language];
  return Object.hasOwn(texts, key) ? (texts[key] ?? null) : null;
}
