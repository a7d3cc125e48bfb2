import { CONSOLE } from './en/console.ts';
import { CONSOLE_DOCUMENTS } from './en/console-documents.ts';
import { CONSOLE_SYSTEM } from './en/console-system.ts';
import type { Language } from './languages.ts';
import { CONSOLE as CONSOLE_MK } from './mk/console.ts';
import { CONSOLE_DOCUMENTS as CONSOLE_DOCUMENTS_MK } from './mk/console-documents.ts';
import { CONSOLE_SYSTEM as CONSOLE_SYSTEM_MK } from './mk/console-system.ts';

const en = { ...CONSOLE, ...CONSOLE_DOCUMENTS, ...CONSOLE_SYSTEM };
const mk = { ...CONSOLE_MK, ...CONSOLE_DOCUMENTS_MK, ...CONSOLE_SYSTEM_MK };

export type ConsoleKey = keyof typeof en;

const CONSOLE_TEXTS: Readonly<Record<Language, Readonly<Record<ConsoleKey, string>>>> = { mk, en };

export type ConsoleWords = (key: ConsoleKey) => string;

/** The words of the operators' console in a language. */
export function consoleWords(language: Language): ConsoleWords {
  return (key) => CONSOLE_TEXTS[language][key];
}
