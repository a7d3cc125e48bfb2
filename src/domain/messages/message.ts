import type { English, Language, MessageKey } from './languages.ts';
import type { ValueNames } from './translation.ts';

/** A part of a message: as it stands in the document, or in words of its own that have to be translated as well. */
export type Value = string | number | Message | ValueList;

export type ValueList = { readonly separator: string; readonly parts: readonly Value[] };

/** What is to be said, in no language yet: the key of a text and the values in it. */
export type Message = { readonly key: MessageKey; readonly values: Readonly<Record<string, Value>> };

/** A message that stands by itself, with its place in the document. */
export type Sentence = Message & {
  /** The line of the document that it is about, as its author finds it. */
  readonly line?: Message;
  /** The element that it is about. */
  readonly path?: string;
};

type ValuesOf<Key extends MessageKey> = { readonly [Name in ValueNames<English[Key]>]: Value };

type Given<Key extends MessageKey> = [ValueNames<English[Key]>] extends [never] ? [] : [values: ValuesOf<Key>];

export function message<Key extends MessageKey>(key: Key, ...[values]: Given<Key>): Message {
  return { key, values: values ?? {} };
}

export function listed(parts: readonly Value[], separator = ', '): ValueList {
  return { separator, parts };
}

/** Numbers that go with the form for one. In Macedonian it is the last digit that counts: 21 ден, but 11 дена. */
const ONE: Readonly<Record<Language, RegExp>> = { en: /^1$/u, mk: /(?<!1)1$/u };

/** A value of a text: `{name}`, or `{name|one|several}` for a number with the words that go with it, as in `{days|day|days}`. */
export const VALUE_IN_TEXT = /\{(\w+)(?:\|([^{}|]+)\|([^{}|]+))?\}/gu;

/** A number with the words that go with it. The forms may hold more than a noun: `counted(1, 'file was', 'files were')`. */
export function counted(
  count: number | string,
  one: string,
  several: string = `${one}s`,
  language: Language = 'en',
): string {
  return `${count} ${ONE[language].test(String(count)) ? one : several}`;
}
