import { hash, randomFillSync } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Clock, Hasher, Random } from '../../application/ports/platform.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** Random bytes are read from the system in blocks: a call costs the same for ten bytes as for thousands. */
const BLOCK_BYTES = 4_096;
const block = new Uint8Array(BLOCK_BYTES);
let used = BLOCK_BYTES;

export const systemRandom: Random = {
  bytes(count) {
    if (count > BLOCK_BYTES) return randomFillSync(new Uint8Array(count));
    if (used + count > BLOCK_BYTES) {
      randomFillSync(block);
      used = 0;
    }
    used += count;
    return block.slice(used - count, used);
  },
};

export const systemHasher: Hasher = { sha256: (content) => hash('sha256', content, 'buffer') };

/** Who runs this process, by name; by number where the system knows no name for it, as in many containers. */
export function systemUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
