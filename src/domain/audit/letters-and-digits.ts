import type { WrittenForm } from './written-form.ts';

/** The letters and digits of a text, by their codes, and for each of them the place in the text that it came from. */
export type Letters = {
  readonly codes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
};

/** An encoding in which each letter or digit stands for so many bits. */
export type LetterCode = { readonly bits: 4 | 6; readonly values: Uint8Array };

const ASCII_END = 0x80;
/** Bytes of UTF-8 that were decoded one by one look like Latin-1, where some letters would be taken for plain ones. */
const LATIN_1_END = 0x100;

/** Whatever separates letters and digits, seen or not, is left out. Wide and styled letters count as plain ones. */
export function lettersOf({ text, starts, ends }: WrittenForm): Letters {
  const codes = new Uint8Array(text.length);
  const from = new Uint32Array(text.length);
  const to = new Uint32Array(text.length);
  let length = 0;
  for (let at = 0, size = 1; at < text.length; at += size) {
    let code = text.charCodeAt(at);
    size = 1;
    if (code >= LATIN_1_END) {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      const plain = character.normalize('NFKC');
      size = character.length;
      code = plain.length === 1 ? plain.charCodeAt(0) : 0;
    }
    if (code >= ASCII_END || !isLetterOrDigit(code)) continue;
    codes[length] = code;
    from[length] = starts[at] ?? 0;
    to[length] = ends[at + size - 1] ?? 0;
    length += 1;
  }
  return { codes: codes.subarray(0, length), starts: from.subarray(0, length), ends: to.subarray(0, length) };
}

/** The letters and digits among the bytes that others encode, from one of the first of them on. */
export function decodedLetters({ codes, starts, ends }: Letters, { bits, values }: LetterCode, first: number): Letters {
  const size = Math.max(0, codes.length - first);
  const found = new Uint8Array(size);
  const from = new Uint32Array(size);
  const to = new Uint32Array(size);
  let length = 0;
  let rest = 0;
  let restBits = 0;
  let begin = first;
  for (let at = first; at < codes.length; at += 1) {
    rest = ((rest << bits) | (values[codes[at] ?? 0] ?? 0)) & 0xffff;
    restBits += bits;
    if (restBits < 8) continue;
    restBits -= 8;
    const code = (rest >> restBits) & 0xff;
    if (isLetterOrDigit(code)) {
      found[length] = code;
      from[length] = starts[begin] ?? 0;
      to[length] = ends[at] ?? 0;
      length += 1;
    }
    begin = restBits === 0 ? at + 1 : at;
  }
  return { codes: found.subarray(0, length), starts: from.subarray(0, length), ends: to.subarray(0, length) };
}

/** The value of each letter, by its code; 0 for what is none. */
export function letterValues(...alphabets: readonly string[]): Uint8Array {
  const values = new Uint8Array(ASCII_END);
  for (const alphabet of alphabets) {
    for (const [value, letter] of [...alphabet].entries()) values[letter.charCodeAt(0)] = value;
  }
  return values;
}

export function textOf({ codes }: Letters): string {
  const parts: string[] = [];
  // They are the arguments of one call, of which there may not be too many.
  for (let at = 0; at < codes.length; at += 4_096) parts.push(String.fromCharCode(...codes.subarray(at, at + 4_096)));
  return parts.join('');
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
