/** A name as the scanner meets it: its bytes, and a number that few other names have. */
export type NameBytes = { readonly bytes: Uint8Array; readonly hash: number };

export function nameBytes(name: string): NameBytes {
  const bytes = new TextEncoder().encode(name);
  let hash = 0;
  for (const byte of bytes) hash = nextHash(hash, byte);
  return { bytes, hash };
}

/** The number of a name that is one byte longer. */
export function nextHash(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0;
}
