/** Cyrillic letters that look like Latin ones. The authority's codes mix both scripts: `DDV-11-A-О` ends in a Cyrillic О. */
const HOMOGLYPHS: ReadonlyMap<string, string> = new Map(
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

/** Far longer than any code; a longer text is none, and is left as it is. */
const MAX_CODE_LENGTH = 100;

/** A code in upper case, with Cyrillic letters replaced by the Latin ones that look the same. */
export function foldHomoglyphs(code: string, longest = MAX_CODE_LENGTH): string {
  if (code.length > longest) return code;
  return [...code.trim().toUpperCase()].map((letter) => HOMOGLYPHS.get(letter) ?? letter).join('');
}
