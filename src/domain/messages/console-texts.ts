import { CONSOLE } from './en/console.ts';
import type { Language } from './languages.ts';
import { CONSOLE as CONSOLE_MK } from './mk/console.ts';

export type ConsoleKey = keyof typeof CONSOLE;

const CONSOLE_TEXTS: Readonly<Record<Language, Readonly<Record<ConsoleKey, string>>>> = { mk: CONSOLE_MK, en: CONSOLE };

export type ConsoleWords = (key: ConsoleKey) => string;

/** The words of the operators' console in a language. */
export function consoleWords(language: Language): ConsoleWords {
  return (key) => CONSOLE_TEXTS[language][key];
}
