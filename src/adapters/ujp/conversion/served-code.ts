import type { CodeListEntry } from '../../../domain/values/code-list.ts';

/** Cyrillic letters that look like Latin ones. The authority's codes mix the scripts: `DDV-11-A-О` ends in a Cyrillic О. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    А: 'A',
    В: 'B',
    Е: 'E',
    Ѕ: 'S',
    І: 'I',
    Ј: 'J',
    К: 'K',
    М: 'M',
    Н: 'H',
    О: 'O',
    Р: 'P',
    С: 'C',
  }).concat(Object.entries({ Т: 'T', У: 'Y', Х: 'X' })),
);

type Chosen = Map<string, readonly CodeListEntry[]>;

/** Lists change once a day, documents come by the thousand: what was chosen of a list for a day is kept beside the list. */
const chosen = new WeakMap<readonly CodeListEntry[], Chosen>();

/**
 * The entries in force on a day; of entries alike by `key` the one that began last, among equals the one listed first.
 * `alike` names the key.
 */
export function inForce<Entry extends CodeListEntry>(
  entries: readonly Entry[],
  day: string,
  alike = 'code',
  key: (entry: Entry) => string = ({ code }) => code,
): readonly Entry[] {
  const known = chosen.get(entries) ?? new Map<string, readonly CodeListEntry[]>();
  const name = `${alike} ${day}`;
  const found = known.get(name) ?? choose(entries, day, key);
  known.set(name, found);
  chosen.set(entries, known);
  return found as readonly Entry[];
}

function choose<Entry extends CodeListEntry>(
  entries: readonly Entry[],
  day: string,
  key: (entry: Entry) => string,
): readonly Entry[] {
  const byKey = new Map<string, Entry>();
  for (const entry of entries) {
    const { active, validFrom, validTo } = entry;
    if (!active || (validFrom ?? day) > day || (validTo ?? day) < day) continue;
    const rival = byKey.get(key(entry));
    if (rival === undefined || (validFrom ?? '') > (rival.validFrom ?? '')) byKey.set(key(entry), entry);
  }
  return [...byKey.values()];
}

/**
 * The entry of a code of our own tables: the very code, else one that looks the same. The document then carries what is
 * served, in whatever script it is.
 */
export function servedEntry<Entry extends CodeListEntry>(entries: readonly Entry[], code: string): Entry | null {
  return entries.find((entry) => entry.code === code) ?? lookAlike(entries, code);
}

export function lookAlike<Entry extends CodeListEntry>(entries: readonly Entry[], code: string): Entry | null {
  const shape = shapeOf(code);
  return entries.find((entry) => shapeOf(entry.code) === shape) ?? null;
}

/** How a code looks: upper case, in Latin letters where a Cyrillic letter looks like one. */
export function shapeOf(code: string): string {
  return [...code.trim().toUpperCase()].map((letter) => LOOK_ALIKES.get(letter) ?? letter).join('');
}

/** What is wrong with a code that looks like the served one: the first character that differs, by name. */
export function firstDifference(written: string, served: string): string {
  const expected = [...served];
  const found = [...written];
  const at = expected.findIndex((letter, index) => letter !== found[index]);
  if (at === -1) return `ends after ${expected.length} characters`;
  return `has ${named(expected[at])} as character ${at + 1}, not ${named(found[at])}`;
}

function named(letter: string | undefined): string {
  if (letter === undefined) return 'nothing';
  const script = /\p{Script=Cyrillic}/u.test(letter) ? 'Cyrillic ' : /\p{Script=Latin}/u.test(letter) ? 'Latin ' : '';
  return `${script}${letter}`;
}
