import { SPACE_BYTES } from './xml-bytes.ts';

const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const COLON = 0x3a;
const LETTER_T = 0x54;
const LETTER_Z = 0x5a;
const EQUALS = 0x3d;

/** Longer ones are left to the parser. */
const MAX_DIGITS = 30;
const MAX_FRACTION_DIGITS = 12;
const FIRST_YEAR = 1000;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DATE_LENGTH = 10;
const TIME_LENGTH = 8;
/** Offsets of 14 hours have rules of their own. */
const MAX_OFFSET_HOURS = 13;

const LANGUAGE = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/u;
const URI =
  /^(?:urn:[A-Za-z0-9][A-Za-z0-9-]{0,30}:[A-Za-z0-9:._-]+|https?:\/\/[A-Za-z0-9.-]+(?:\/[A-Za-z0-9._/-]*)?)$/u;
const MAX_URI_LENGTH = 200;

const NO_DIGIT = 255;
/** The six bits that a Base64 digit stands for. */
const BASE64 = new Uint8Array(256).fill(NO_DIGIT);
for (const [value, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  BASE64[digit.charCodeAt(0)] = value;
/** The bits of the last digit that no byte has, by the number of padding characters. */
const UNUSED_BITS = [0, 0b11, 0b1111];

/**
 * Whether a value between two offsets is certainly one of its type. Forms that are rare, such as a plus sign
 * before a number, are not certain here: the parser judges those. There is no white space around the value.
 */
export type ValueCheck = (bytes: Uint8Array, start: number, end: number) => boolean;

export const isDecimal: ValueCheck = (bytes, start, end) => {
  let at = bytes[start] === MINUS ? start + 1 : start;
  const first = at;
  while (at < end && isDigit(bytes[at])) at += 1;
  const digits = at - first;
  if (digits === 0) return false;
  if (at === end) return digits <= MAX_DIGITS;
  if (bytes[at] !== POINT) return false;
  const fraction = at + 1;
  at = fraction;
  while (at < end && isDigit(bytes[at])) at += 1;
  return at === end && at > fraction && digits + at - fraction <= MAX_DIGITS;
};

export const isDate: ValueCheck = (bytes, start, end) =>
  end - start >= DATE_LENGTH && isDay(bytes, start) && isZone(bytes, start + DATE_LENGTH, end);

export const isTime: ValueCheck = (bytes, start, end) => {
  if (end - start < TIME_LENGTH || bytes[start + 2] !== COLON || bytes[start + 5] !== COLON) return false;
  if (!isUpTo(bytes, start, 23) || !isUpTo(bytes, start + 3, 59) || !isUpTo(bytes, start + 6, 59)) return false;
  return isZone(bytes, pastFraction(bytes, start + TIME_LENGTH, end), end);
};

export const isDateTime: ValueCheck = (bytes, start, end) =>
  end - start > DATE_LENGTH &&
  bytes[start + DATE_LENGTH] === LETTER_T &&
  isDay(bytes, start) &&
  isTime(bytes, start + DATE_LENGTH + 1, end);

export const isBoolean: ValueCheck = (bytes, start, end) => {
  const text = asciiText(bytes, start, end);
  return text === 'true' || text === 'false' || text === '1' || text === '0';
};

export const isLanguage: ValueCheck = (bytes, start, end) => LANGUAGE.test(asciiText(bytes, start, end));

export const isUri: ValueCheck = (bytes, start, end) =>
  end - start <= MAX_URI_LENGTH && URI.test(asciiText(bytes, start, end));

/** Whole groups of four digits, with white space anywhere before the padding; the bits that padding leaves over are zero. */
export const isBase64: ValueCheck = (bytes, start, end) => {
  const padding = bytes[end - 1] !== EQUALS ? 0 : bytes[end - 2] === EQUALS ? 2 : 1;
  let digits = 0;
  let last = 0;
  for (let at = start; at < end - padding; at += 1) {
    const byte = bytes[at] ?? 0;
    if (SPACE_BYTES[byte] === 1) continue;
    last = BASE64[byte] ?? NO_DIGIT;
    if (last === NO_DIGIT) return false;
    digits += 1;
  }
  if ((digits + padding) % 4 !== 0) return false;
  return (last & (UNUSED_BITS[padding] ?? 0)) === 0;
};

/** Bytes beyond ASCII become other characters than they are; the patterns know none of those. */
function asciiText(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}

function isDay(bytes: Uint8Array, start: number): boolean {
  if (bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return false;
  const century = twoDigits(bytes, start);
  const yearOfCentury = twoDigits(bytes, start + 2);
  const month = twoDigits(bytes, start + 5);
  const day = twoDigits(bytes, start + 8);
  const year = 100 * century + yearOfCentury;
  if (century < 0 || yearOfCentury < 0 || year < FIRST_YEAR || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0));
}

function pastFraction(bytes: Uint8Array, start: number, end: number): number {
  if (start === end || bytes[start] !== POINT) return start;
  let at = start + 1;
  while (at < end && isDigit(bytes[at])) at += 1;
  const digits = at - start - 1;
  return digits === 0 || digits > MAX_FRACTION_DIGITS ? start : at;
}

/** Nothing, `Z`, or an offset such as `+01:00`. */
function isZone(bytes: Uint8Array, start: number, end: number): boolean {
  if (start === end) return true;
  if (bytes[start] === LETTER_Z) return end === start + 1;
  if (bytes[start] !== PLUS && bytes[start] !== MINUS) return false;
  if (end - start !== 6 || bytes[start + 3] !== COLON) return false;
  return isUpTo(bytes, start + 1, MAX_OFFSET_HOURS) && isUpTo(bytes, start + 4, 59);
}

function isUpTo(bytes: Uint8Array, at: number, most: number): boolean {
  const value = twoDigits(bytes, at);
  return value >= 0 && value <= most;
}

/** -1 where they are no digits. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at];
  const ones = bytes[at + 1];
  return isDigit(tens) && isDigit(ones) ? 10 * (tens - ZERO) + ones - ZERO : -1;
}

function isDigit(byte: number | undefined): byte is number {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}
