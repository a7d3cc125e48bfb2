import { type Language, OPERATOR_LANGUAGE, TEXTS } from './languages.ts';
import type { Message, Sentence, Value } from './message.ts';
import { counted, VALUE_IN_TEXT } from './message.ts';

/** A capital that only the beginning of the sentence explains: not that of an abbreviation such as VAT. */
const INITIAL = /^\p{Lu}(?=\p{Ll}|\s)/u;

/** Nested values come from our own code; what was stored may have been damaged, or written by a later version. */
const MOST_LEVELS = 8;

/** Sentences in a language, each with its place and its full stop. Throws where they are none that this version knows. */
export function render(language: Language, sentences: readonly Sentence[]): string {
  return sentences.map((one) => renderSentence(language, one)).join(' ');
}

/** For records, logs and the operator. */
export function inEnglish(...sentences: readonly Sentence[]): string {
  return render(OPERATOR_LANGUAGE, sentences);
}

/**
 * Stored sentences in a language; the text that was stored beside them where there are none, because an earlier version
 * stored the document, or where a later one uses words that this one does not know.
 */
export function renderStored(language: Language, sentences: readonly Sentence[] | null, text: string): string {
  if (sentences === null) return text;
  try {
    return render(language, sentences);
  } catch (error) {
    if (error instanceof UnknownMessage) return text;
    throw error;
  }
}

class UnknownMessage extends Error {
  override readonly name = 'UnknownMessage';
}

/** A message in a language, as a part of what is said: without its full stop. */
export function words(language: Language, message: Message): string {
  return renderMessage(language, message, MOST_LEVELS);
}

function renderSentence(language: Language, { line, path, ...message }: Sentence): string {
  const text = renderMessage(language, message, MOST_LEVELS);
  const placed =
    line === undefined
      ? text
      : `${renderMessage(language, line, MOST_LEVELS)}: ${text.replace(INITIAL, (letter) => letter.toLowerCase())}`;
  return path === undefined ? `${placed}.` : `${placed} (${path}).`;
}

function renderMessage(language: Language, { key, values }: Message, levels: number): string {
  const texts: Readonly<Record<string, string>> = TEXTS[language];
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
  if (text === undefined || levels === 0) throw new UnknownMessage(`There is no message ${key}`);
  return text.replace(VALUE_IN_TEXT, (_, name: string, one?: string, several?: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new UnknownMessage(`The message ${key} has no value ${name}`);
    const shown = renderValue(language, value, levels - 1);
    return one === undefined ? shown : counted(shown, one, several, language);
  });
}

function renderValue(language: Language, value: Value, levels: number): string {
  if (typeof value !== 'object') return String(value);
  if ('key' in value) return renderMessage(language, value, levels);
  return value.parts.map((part) => renderValue(language, part, levels - 1)).join(value.separator);
}
