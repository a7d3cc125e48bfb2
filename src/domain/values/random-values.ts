import { toHex } from './hex.ts';

type Source = { readonly bytes: (count: number) => Uint8Array };

/** A UUID of version 4 (RFC 9562, section 5.4): random but for the four bits of the version and the two of the variant. */
export function randomUuid(random: Source): string {
  const bytes = random.bytes(16);
  bytes[6] = 0x40 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return `${toHex(bytes, 0, 4)}-${toHex(bytes, 4, 6)}-${toHex(bytes, 6, 8)}-${toHex(bytes, 8, 10)}-${toHex(bytes, 10)}`;
}

/** A random number from 0 to 1. */
export function randomFraction(random: Source): number {
  return (random.bytes(1)[0] ?? 0) / 255;
}
