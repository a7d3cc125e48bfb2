import { setPriority } from 'node:os';

const NICENESS = 19;

/**
 * Work on documents gives way to answering: a thread with a large one must not keep the others from a core. On Linux a
 * priority belongs to the thread that sets it; elsewhere it would slow down the whole process.
 */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(NICENESS);
}
