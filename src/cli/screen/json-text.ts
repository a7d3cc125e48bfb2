/** What acts on a terminal, or hides or turns round the text beside it, and JSON leaves as it is; of its own it has line breaks alone. */
const ACTING = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;
const HEX_DIGITS = 4;

/** A result or an error for programs, which may be read at a terminal all the same. It says the same with these characters escaped. */
export function jsonText(value: unknown, indentation = 0): string {
  return JSON.stringify(value, null, indentation).replaceAll(ACTING, escaped);
}

/** An error or a step for people: what others have named, such as a file, does nothing at the terminal. Line breaks stay. */
export function stillText(text: string): string {
  return text.replaceAll(ACTING, '\ufffd');
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(HEX_DIGITS, '0')}`).join('');
}
