import type { English, MessageKey } from './languages.ts';
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
