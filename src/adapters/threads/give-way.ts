import { setPriority } from 'node:os';

const GREATEST_NICENESS = 19;

/**
 * Work on documents gives way to answering: a thread with a large one must not keep the others from a core. On Linux a
 * priority belongs to the thread that sets it; elsewhere it would slow down the whole process.
 */
export function giveWay(niceness = GREATEST_NICENESS): void {
  if (process.platform === 'linux') setPriority(niceness);
}
