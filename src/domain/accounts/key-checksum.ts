/** The characters of a key after its prefix; their order is that of the digits of the checksum. */
export const KEY_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const KEY_RANDOM_LENGTH = 32;
/** The random characters and their checksum. */
export const KEY_LENGTH = 38;

const POLYNOMIAL = 0xedb88320;
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = (rest & 1) === 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});
/** By the code of the character; 62 for what is no digit. */
const DIGIT_VALUES = new Uint8Array(256).fill(KEY_ALPHABET.length);
for (const [value, character] of [...KEY_ALPHABET].entries()) DIGIT_VALUES[character.charCodeAt(0)] = value;
/** The highest first digit that a number of 32 bits has. */
const HIGHEST_FIRST_DIGIT = 4;

/** The last characters of a key: the CRC-32 of the random ones, in digits of the alphabet. */
export function keyChecksum(random: string): string {
  const codes = new Uint8Array(random.length);
  for (let at = 0; at < random.length; at += 1) codes[at] = random.charCodeAt(at);
  let rest = crc32(codes, 0);
  let checksum = '';
  while (random.length + checksum.length < KEY_LENGTH) {
    checksum = KEY_ALPHABET.charAt(rest % KEY_ALPHABET.length) + checksum;
    rest = Math.floor(rest / KEY_ALPHABET.length);
  }
  return checksum;
}

/** Whether the characters from a place on are a whole key without its prefix. */
export function isKeyAt(codes: Uint8Array, start: number): boolean {
  const end = start + KEY_LENGTH;
  const middle = start + KEY_RANDOM_LENGTH;
  // Nearly every other text ends here, without a computation.
  if (end > codes.length || (DIGIT_VALUES[codes[middle] ?? 0] ?? 0) > HIGHEST_FIRST_DIGIT) return false;
  let checksum = 0;
  for (let at = middle; at < end; at += 1) {
    checksum = checksum * KEY_ALPHABET.length + (DIGIT_VALUES[codes[at] ?? 0] ?? 0);
  }
  return checksum === crc32(codes, start);
}

function crc32(codes: Uint8Array, start: number): number {
  let crc = 0xffffffff;
  for (let at = start; at < start + KEY_RANDOM_LENGTH; at += 1) {
    crc = (TABLE[(crc ^ (codes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
