/** Printable ASCII: every HTTP implementation reads it alike as the value of a header, and none can add a header line. */
const HEADER_TEXT = /^[\x20-\x7e]+$/u;

export function isHeaderText(text: string): boolean {
  return HEADER_TEXT.test(text);
}

/** The first character that none should have, as `U+0430`; null where there is none. Some look like a letter of ASCII. */
export function firstOutsideHeaders(text: string): string | null {
  const character = [...text].find((candidate) => !isHeaderText(candidate));
  const codePoint = character?.codePointAt(0);
  return codePoint === undefined ? null : `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}
