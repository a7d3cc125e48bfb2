const DIGITS = /^[0-9a-f]{64}$/u;

/** Reads a SHA-256 that is written in hexadecimal digits, large or small. */
export function parseSha256(text: string): Uint8Array | null {
  const digits = text.toLowerCase();
  if (!DIGITS.test(digits)) return null;
  return Uint8Array.from(digits.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16));
}
