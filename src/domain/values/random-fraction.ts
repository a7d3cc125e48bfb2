/** A random number from 0 to 1. */
export function randomFraction(random: { readonly bytes: (count: number) => Uint8Array }): number {
  return (random.bytes(1)[0] ?? 0) / 255;
}
