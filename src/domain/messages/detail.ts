import { shortPath, shortText } from '../values/one-line-text.ts';
import { type English, type Language, type MessageKey, OPERATOR_LANGUAGE, TEXTS } from './languages.ts';
import { type Message, message } from './message.ts';
import { words } from './render.ts';
import type { ValueNames } from './translation.ts';

/** Where in a document something was found; line and column count from one, the column in characters. */
export type Place = { readonly line: number; readonly column: number; readonly path: string | null };

export type Finding = { readonly place: Place | null; readonly said: Message };

type KeyWithoutValues = {
  [Key in MessageKey]: [ValueNames<English[Key]>] extends [never] ? Key : never;
}[MessageKey];

/**
 * A sentence without values, in English, as it is read where it is thrown. The compiler takes only those that the English
 * texts have, and so every language.
 */
export type PlainSentence = `${English[KeyWithoutValues]}.`;

/** What a problem says: a sentence, or what was found in a document. */
export type Detail = PlainSentence | Message | readonly Finding[];

export const MOST_FINDINGS = 5;
const MOST_FINDING_CHARACTERS = 390;
const MOST_CHARACTERS = 2000;
const MOST_PATH_CHARACTERS = 200;

const KEYS_OF_SENTENCES: ReadonlyMap<string, MessageKey> = new Map(
  Object.entries(TEXTS[OPERATOR_LANGUAGE]).map(([key, text]) => [`${text}.`, key as MessageKey]),
);

/** A detail in a language; at most five findings, whose length is bounded each and together. */
export function renderDetail(language: Language, detail: Detail): string {
  if (typeof detail === 'string') {
    const key = KEYS_OF_SENTENCES.get(detail);
    return key === undefined ? detail : finished(words(language, { key, values: {} }));
  }
  if ('key' in detail) return finished(words(language, detail));
  const sentences = new Set(detail.map((one) => shortText(sentence(language, one), MOST_FINDING_CHARACTERS)));
  return shortText([...sentences].slice(0, MOST_FINDINGS).join(' '), MOST_CHARACTERS);
}

function sentence(language: Language, { place, said }: Finding): string {
  const text = finished(words(language, said));
  return place === null ? text : `${words(language, placeMessage(place))}: ${text}`;
}

function placeMessage({ line, column, path }: Place): Message {
  if (path === null) return message('place-in-text', { line, column });
  return message('place-of-element', { line, column, path: shortPath(path, MOST_PATH_CHARACTERS) });
}

function finished(text: string): string {
  return text.endsWith('?') ? text : `${text}.`;
}
