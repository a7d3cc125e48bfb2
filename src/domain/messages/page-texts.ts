import { PAGES } from './en/pages.ts';
import type { Explanations } from './explanations.ts';
import type { Language } from './languages.ts';
import { EXPLANATIONS as EXPLANATIONS_MK } from './mk/error-codes.ts';
import { PAGES as PAGES_MK } from './mk/pages.ts';

export type PageKey = keyof typeof PAGES;

const PAGE_TEXTS: Readonly<Record<Language, Readonly<Record<PageKey, string>>>> = { mk: PAGES_MK, en: PAGES };

/** Null where the error catalogue itself, which is English, has the texts. */
export const TRANSLATED_EXPLANATIONS: Readonly<Record<Language, Explanations | null>> = {
  mk: EXPLANATIONS_MK,
  en: null,
};

/** The words of pages in a language. A page puts in the values itself, since they may be HTML. */
export function pageWords(language: Language): (key: PageKey) => string {
  return (key) => PAGE_TEXTS[language][key];
}
