import { isKeyAt, KEY_ALPHABET, KEY_LENGTH } from '../accounts/key-checksum.ts';
import { decodedLetters, type Letters, lettersOf, letterValues, textOf } from './letters-and-digits.ts';
import { asWritten, unescapedFreely, unescapedOnce, type WrittenForm } from './written-form.ts';

/** From one place of a text to another, the end not included. */
export type Place = { readonly start: number; readonly end: number };

/** A text that is encoded more often was made to hide something. */
const MAX_DECODINGS = 6;
/**
 * The prefix and at least half of the random characters, in one piece: what is cut off or mistyped, so that its checksum is wrong,
 * is withheld too. Names of software are shorter.
 */
const PREFIXED = /dostava[^0-9a-z]{0,8}([0-9a-z]{16,})/giu;
const PREFIX = 'dostava';
const FEWEST_CHARACTERS = 16;
/** Of neighbours in a key, three of five differ in kind (digit, capital, small letter); in names and words far fewer do. */
const LEAST_CHANGES = 0.4;
const FEWEST_OF_EACH_CASE = 3;

/** Our own paths. One key in 10^9 has no capital letter, nor has it one in base64; in hexadecimal it is longer. */
const SMALL_LETTERS = /^[0-9a-z/._-]*$/u;
const FEWEST_IN_HEX = 2 * KEY_LENGTH;

const BASE64 = { bits: 6, values: letterValues(KEY_ALPHABET.slice(10) + KEY_ALPHABET.slice(0, 10)) } as const;
const FEWEST_IN_BASE64 = Math.ceil((KEY_LENGTH * 8) / 6);
const HEX = { bits: 4, values: letterValues('0123456789abcdef', '0123456789ABCDEF') } as const;
const HEX_RUNS = /[0-9a-f]{76,}/giu;

/**
 * Where a text has API keys, as they are or disguised: without their prefix, in pieces, with invisible characters, escaped in one
 * of the usual ways or several times, in base64 or hexadecimal. A whole key is known by its checksum, which other text has once
 * in 2^32 places; part of one by the prefix alone. The work is in proportion to the text.
 */
export function hiddenKeys(text: string): readonly Place[] {
  // Every way to write a character takes a letter or a digit at least, or one that is not of ASCII.
  if (text.length < FEWEST_CHARACTERS + PREFIX.length || isPlainPath(text)) return [];
  const places: Place[] = [];
  let form: WrittenForm | null = asWritten(text);
  for (let decodings = 0; form !== null; decodings += 1) {
    if (decodings > MAX_DECODINGS) return [{ start: 0, end: text.length }];
    places.push(...keysIn(form));
    const freely = unescapedFreely(form);
    if (freely !== null) places.push(...keysIn(freely));
    form = unescapedOnce(form);
  }
  return places;
}

function isPlainPath(text: string): boolean {
  return text.length < FEWEST_IN_HEX && SMALL_LETTERS.test(text) && !text.includes(PREFIX);
}

function keysIn(form: WrittenForm): readonly Place[] {
  const letters = lettersOf(form);
  if (letters.codes.length < FEWEST_CHARACTERS + PREFIX.length) return [];
  const text = textOf(letters);
  const places = [...prefixedPlaces(form), ...scatteredPlaces(letters, text), ...wholeKeys(letters)];
  if (text.length < FEWEST_IN_BASE64) return places;
  // In base64 the characters of a key are letters and digits again. It may begin at any of them.
  for (let first = 0; first < 4; first += 1) places.push(...wholeKeys(decodedLetters(letters, BASE64, first)));
  for (const { index, 0: run } of text.matchAll(HEX_RUNS)) {
    const part = (array: Uint32Array) => array.subarray(index, index + run.length);
    const codes = letters.codes.subarray(index, index + run.length);
    const digits = { codes, starts: part(letters.starts), ends: part(letters.ends) };
    for (const first of [0, 1]) places.push(...wholeKeys(decodedLetters(digits, HEX, first)));
  }
  return places;
}

function wholeKeys(letters: Letters): readonly Place[] {
  const places: Place[] = [];
  for (let at = 0; at + KEY_LENGTH <= letters.codes.length; at += 1) {
    if (!isKeyAt(letters.codes, at)) continue;
    places.push(placeOf(letters, at, at + KEY_LENGTH));
    at += KEY_LENGTH - 1;
  }
  return places;
}

function prefixedPlaces(form: WrittenForm): readonly Place[] {
  return Array.from(form.text.matchAll(PREFIXED), ({ index, 0: whole, 1: characters = '' }) =>
    placeOf(form, index + whole.length - characters.length, index + whole.length),
  );
}

/** What follows the prefix in pieces, if it looks drawn and not like words. */
function scatteredPlaces(letters: Letters, text: string): readonly Place[] {
  const places: Place[] = [];
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(PREFIX); at !== -1; at = lower.indexOf(PREFIX, at + PREFIX.length)) {
    const start = at + PREFIX.length;
    const characters = text.slice(start, start + KEY_LENGTH);
    if (characters.length >= FEWEST_CHARACTERS && looksDrawn(characters)) {
      places.push(placeOf(letters, start, start + characters.length));
    }
  }
  return places;
}

function looksDrawn(characters: string): boolean {
  const kinds = characters.replaceAll(/[0-9]/gu, '0').replaceAll(/[A-Z]/gu, 'A').replaceAll(/[a-z]/gu, 'a');
  const count = (kind: string) => kinds.split(kind).length - 1;
  let changes = 0;
  for (let at = 1; at < kinds.length; at += 1) if (kinds[at] !== kinds[at - 1]) changes += 1;
  const hasBothCases = count('A') >= FEWEST_OF_EACH_CASE && count('a') >= FEWEST_OF_EACH_CASE;
  return hasBothCases && changes >= LEAST_CHANGES * (kinds.length - 1);
}

function placeOf({ starts, ends }: Pick<Letters, 'starts' | 'ends'>, first: number, end: number): Place {
  return { start: starts[first] ?? 0, end: ends[end - 1] ?? 0 };
}
