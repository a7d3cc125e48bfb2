import { AUTHORITY_DOCUMENT } from './en/authority-document.ts';
import type { Language } from './languages.ts';
import { AUTHORITY_DOCUMENT as AUTHORITY_DOCUMENT_MK } from './mk/authority-document.ts';

/** By the path of a member of the authority's document, without its indexes. */
export const DOCUMENT_TEXTS: Readonly<Record<Language, Readonly<Record<keyof typeof AUTHORITY_DOCUMENT, string>>>> = {
  mk: AUTHORITY_DOCUMENT_MK,
  en: AUTHORITY_DOCUMENT,
};
