import { type Message, message, type Value } from '../../../domain/messages/message.ts';
import { type CodeListEntry, entriesInForce as selectInForce } from '../../../domain/values/code-list.ts';
import { foldHomoglyphs } from '../../../domain/values/homoglyphs.ts';
import { type BoundedMap, createBoundedMap } from '../../platform/bounded-map.ts';

type EntriesByDay = BoundedMap<string, readonly CodeListEntry[]>;

/** Days come from documents, so their number is bounded; far more than documents are dated within while a list is kept. */
const MAX_DAYS = 100;

/** Lists change once a day and thousands of documents use them, so the selection for a day is kept as long as its list. */
const selections = new WeakMap<readonly CodeListEntry[], EntriesByDay>();

/**
 * The entries in force on a day, each key once; `keyName` identifies the key in the cache.
 */
export function entriesInForce<Entry extends CodeListEntry>(
  entries: readonly Entry[],
  day: string,
  keyName = 'code',
  key: (entry: Entry) => string = ({ code }) => code,
): readonly Entry[] {
  const known = selections.get(entries) ?? createBoundedMap<string, readonly CodeListEntry[]>(MAX_DAYS);
  const name = `${keyName} ${day}`;
  const found = known.get(name) ?? selectInForce(entries, day, key);
  known.set(name, found);
  selections.set(entries, known);
  return found as readonly Entry[];
}

/**
 * The entry of a code from our own tables: with exactly this code, else with one that looks the same. The document then
 * holds the code as the authority serves it.
 */
export function findEntry<Entry extends CodeListEntry>(entries: readonly Entry[], code: string): Entry | null {
  return entries.find((entry) => entry.code === code) ?? findLookAlike(entries, code);
}

export function findLookAlike<Entry extends CodeListEntry>(entries: readonly Entry[], code: string): Entry | null {
  const known =
    foldedEntries.get(entries) ?? new Map(entries.toReversed().map((one) => [foldHomoglyphs(one.code), one]));
  foldedEntries.set(entries, known);
  return (known.get(foldHomoglyphs(code)) as Entry | undefined) ?? null;
}

/** Thousands of lines look for codes in the same list. */
const foldedEntries = new WeakMap<readonly CodeListEntry[], ReadonlyMap<string, CodeListEntry>>();

/** How the served code differs from one that only looks like it: the first differing character, with its script. */
export function firstDifference(written: string, served: string): Message {
  const expected = [...served];
  const actual = [...written];
  const at = expected.findIndex((letter, index) => letter !== actual[index]);
  if (at === -1) return message('ends-after', { count: expected.length });
  const letters = { served: describeLetter(expected[at]), written: describeLetter(actual[at]) };
  return message('differs-at', { ...letters, position: at + 1 });
}

function describeLetter(letter: string | undefined): Value {
  if (letter === undefined) return message('letter-none');
  if (/\p{Script=Cyrillic}/u.test(letter)) return message('letter-cyrillic', { letter });
  return /\p{Script=Latin}/u.test(letter) ? message('letter-latin', { letter }) : letter;
}
