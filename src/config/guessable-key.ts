/** Of 32 random bytes about 30 are different; fewer than this happen by chance once in billions of keys. */
const FEWEST_DIFFERENT_BYTES = 20;

/** Whether a key in base64 was made up instead of drawn: repeated or counted bytes, text, or a text in place of base64. */
export function isGuessableKey(base64: string): boolean {
  const bytes = [...Buffer.from(base64, 'base64')];
  const isRepetitive = new Set(bytes).size < FEWEST_DIFFERENT_BYTES;
  const isText = bytes.every((byte) => byte >= 0x20 && byte <= 0x7e);
  // The base64 of random bytes has both, but for one key in 10^9.
  const isWords = !/[a-z]/u.test(base64) || !/[A-Z]/u.test(base64);
  return isRepetitive || isText || isWords || isProgression(bytes);
}

/** 0, 1, 2, … or 255, 254, … or any other constant step. */
function isProgression(bytes: readonly number[]): boolean {
  const steps = bytes.slice(1).map((byte, index) => (byte - (bytes[index] ?? 0) + 256) % 256);
  return new Set(steps).size === 1;
}
