const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const SHA256 = /^[0-9a-f]{64}$/u;

export function toHex(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = '';
  for (let at = start; at < end; at += 1) text += HEX[bytes[at] ?? 0];
  return text;
}

/** Reads a SHA-256 that is written in hexadecimal digits, large or small. */
export function parseSha256(text: string): Uint8Array | null {
  const digits = text.toLowerCase();
  if (!SHA256.test(digits)) return null;
  return Uint8Array.from(digits.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16));
}
