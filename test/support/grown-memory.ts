import { setTimeout as pause } from 'node:timers/promises';

const MIB = 1_048_576;
const LOOKS = 100;
const LOOK_EVERY_MS = 100;
/** By which the memory of any process comes and goes. */
const FEW_MIB = 10;

/** By how many MiB the memory of this process has grown once its threads have freed what they left behind, which they do after they have answered. */
export async function grownSince(bytesBefore: number): Promise<number> {
  let grown = Number.POSITIVE_INFINITY;
  for (let looks = 0; looks < LOOKS && grown > FEW_MIB; looks += 1) {
    await pause(LOOK_EVERY_MS);
    grown = Math.min(grown, Math.round((process.memoryUsage.rss() - bytesBefore) / MIB));
  }
  return grown;
}
