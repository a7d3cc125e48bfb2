import { hash, randomFillSync } from 'node:crypto';
import type { Clock, Hasher, Random } from '../../application/ports/platform.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** Drawn from the system in larger portions: a draw costs the same for ten bytes as for thousands. */
const PORTION_BYTES = 4_096;
const portion = new Uint8Array(PORTION_BYTES);
let used = PORTION_BYTES;

export const systemRandom: Random = {
  bytes(count) {
    if (count > PORTION_BYTES) return randomFillSync(new Uint8Array(count));
    if (used + count > PORTION_BYTES) {
      randomFillSync(portion);
      used = 0;
    }
    used += count;
    return portion.slice(used - count, used);
  },
};

export const systemHasher: Hasher = { sha256: (content) => hash('sha256', content, 'buffer') };
