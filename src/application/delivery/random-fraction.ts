import type { Random } from '../ports/platform.ts';

/** A random number from 0 to 1. */
export function randomFraction(random: Random): number {
  return (random.bytes(1)[0] ?? 0) / 255;
}
