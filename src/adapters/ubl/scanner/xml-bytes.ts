const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
export const EXCLAMATION = 0x21;
export const QUOTE = 0x22;
const AMPERSAND = 0x26;
export const APOSTROPHE = 0x27;
export const HYPHEN = 0x2d;
export const SLASH = 0x2f;
export const COLON = 0x3a;
const SEMICOLON = 0x3b;
export const LESS = 0x3c;
export const EQUALS = 0x3d;
export const GREATER = 0x3e;
export const QUESTION = 0x3f;
export const BRACKET = 0x5d;

/** What a byte means in a text. */
export const PLAIN = 0;
export const BREAK = 1;
const MARKUP = 2;
export const REFERENCE = 3;
export const CLOSING_BRACKET = 4;
/** The first byte of U+F000 to U+FFFF, the last two of which are no characters of XML. */
export const LAST_OF_PLANE = 5;
export const FORBIDDEN = 6;

const FIRST_OF_LAST_THOUSANDS = 0xef;

export const TEXT_BYTES = new Uint8Array(256);
TEXT_BYTES.fill(FORBIDDEN, 0, SPACE);
for (const byte of [TAB, LINE_FEED, RETURN]) TEXT_BYTES[byte] = BREAK;
TEXT_BYTES[LESS] = MARKUP;
TEXT_BYTES[AMPERSAND] = REFERENCE;
TEXT_BYTES[BRACKET] = CLOSING_BRACKET;
TEXT_BYTES[FIRST_OF_LAST_THOUSANDS] = LAST_OF_PLANE;

/** Letters, digits, hyphen, point and underscore of ASCII: the names of UBL have no others. */
export const NAME_BYTES = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._')
  NAME_BYTES[character.charCodeAt(0)] = 1;

export const SPACE_BYTES = new Uint8Array(256);
for (const byte of [TAB, LINE_FEED, RETURN, SPACE]) SPACE_BYTES[byte] = 1;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);
const ONE_REFERENCE = /^&(?:#(?<decimal>\d{1,7})|#x(?<hexadecimal>[0-9A-Fa-f]{1,6})|(?<name>[a-z]{2,4}));$/u;
const ANY_REFERENCE = /&[^&;]+;/gu;
/** The longest is `&#1114111;`. */
const MAX_REFERENCE = 10;

/** The offset behind a reference to one character that may stand in any text, or -1. */
export function pastReference(bytes: Buffer, start: number): number {
  const most = Math.min(start + MAX_REFERENCE, bytes.length);
  let end = start + 1;
  while (end < most && bytes[end] !== SEMICOLON) end += 1;
  if (bytes[end] !== SEMICOLON) return -1;
  const groups = ONE_REFERENCE.exec(bytes.toString('latin1', start, end + 1))?.groups;
  if (groups === undefined) return -1;
  return isCharacter(groups) ? end + 1 : -1;
}

/** A text as the parser gives it: line breaks are line feeds, references are characters. */
export function plainText(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/gu, '\n') : text;
  if (!lines.includes('&')) return lines;
  return lines.replace(ANY_REFERENCE, characterOf);
}

/** Of a reference that was found to be one. There may be thousands, and groups by name would take three times as long. */
function characterOf(reference: string): string {
  const name = reference.slice(1, -1);
  const named = NAMED.get(name);
  if (named !== undefined) return named;
  const isHexadecimal = name.startsWith('#x');
  return String.fromCodePoint(Number.parseInt(name.slice(isHexadecimal ? 2 : 1), isHexadecimal ? 16 : 10));
}

type Groups = Readonly<Record<string, string | undefined>>;

function codePoint({ decimal, hexadecimal }: Groups): number {
  return decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number.parseInt(decimal, 10);
}

/** Line breaks and tabs as references are left to the parser: they stay where others become spaces. */
function isCharacter(groups: Groups): boolean {
  if (groups['name'] !== undefined) return NAMED.has(groups['name']);
  const code = codePoint(groups);
  return (
    (code >= SPACE && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
  );
}
