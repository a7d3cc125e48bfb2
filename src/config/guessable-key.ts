/**
 * Each measure tolerates some odd bytes, and each is met by chance once in 10^8 random keys at most; all of them together once in about
 * 3 × 10^7.
 */
const FEWEST_DIFFERENT_BYTES = 20;
/** Of 32; in a random key about twelve are letters, digits or signs of ASCII. */
const MOST_PRINTABLE_BYTES = 27;
/** Of the 31 steps from byte to byte; in a random key two or three at most are the same. */
const MOST_EQUAL_STEPS = 7;
/** A pattern may be repeated, or two be interwoven. */
const LONGEST_PATTERN = 16;

/** Whether a key in base64 was made up instead of drawn: repeated or counted bytes, text, or a text in place of base64. */
export function isGuessableKey(base64: string): boolean {
  const bytes = [...Buffer.from(base64, 'base64')];
  const isRepetitive = new Set(bytes).size < FEWEST_DIFFERENT_BYTES;
  const isText = bytes.filter((byte) => byte >= 0x20 && byte <= 0x7e).length > MOST_PRINTABLE_BYTES;
  return isRepetitive || isText || isWords(base64) || isPattern(bytes);
}

/** In the base64 of random bytes about 17 letters are small and 17 are capitals. */
function isWords(base64: string): boolean {
  const small = base64.match(/[a-z]/gu)?.length ?? 0;
  const capitals = base64.match(/[A-Z]/gu)?.length ?? 0;
  return small < 2 || capitals < 2;
}

/** 0, 1, 2, … or any other constant step, also between every second byte and so on, and steps that grow evenly. */
function isPattern(bytes: readonly number[]): boolean {
  for (let distance = 1; distance <= LONGEST_PATTERN; distance += 1) {
    if (mostEqual(steps(bytes, distance)) > MOST_EQUAL_STEPS) return true;
  }
  return mostEqual(steps(steps(bytes, 1), 1)) > MOST_EQUAL_STEPS;
}

function steps(bytes: readonly number[], distance: number): readonly number[] {
  return bytes.slice(distance).map((byte, index) => (byte - (bytes[index] ?? 0) + 256) % 256);
}

function mostEqual(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}
