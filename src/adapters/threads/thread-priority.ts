import { readdir, readFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';

/** Whoever sends a document waits until it is read, nobody until it is signed. */
const NICENESS_OF_READING = 15;
const GREATEST_NICENESS = 19;

/** How the system is asked about the thread that asks. */
const THIS_THREAD = 0;

/** Where Linux shows the threads of this process. */
const THREADS = '/proc/self/task';
const PLATFORM_THREAD = 'libuv-worker';

/**
 * Work on documents gives way to answering: a thread with a large one must not keep the others from a core. On Linux a
 * priority belongs to the thread that sets it; elsewhere it would slow down the whole process.
 */
export function lowerPriority(niceness = NICENESS_OF_READING): void {
  if (process.platform === 'linux') lower(THIS_THREAD, niceness);
}

/**
 * The same for the threads on which the platform works for everybody. Signatures are made there, four at a time and
 * milliseconds each: on a small machine they would keep the thread that answers from most of it. Where the system does not
 * show its threads, they stay as they are.
 */
export async function lowerPlatformPriority(): Promise<void> {
  if (process.platform !== 'linux') return;
  // To read a folder is work of that kind itself, so the threads are there by the time it is done.
  const threads = await readdir(THREADS).catch(() => []);
  for (const thread of threads) {
    const name = await readFile(`${THREADS}/${thread}/comm`, 'utf8').catch(() => '');
    if (name.trim() === PLATFORM_THREAD) lower(Number(thread), GREATEST_NICENESS);
  }
}

/** Where the system forbids it, as a hardened one may, nothing changes: it only is a courtesy. */
function lower(thread: number, niceness: number): void {
  try {
    // Whoever started the service may have had it give way to other programs by more already.
    setPriority(thread, Math.max(niceness, getPriority(thread)));
  } catch {
    // The thread stays as it is.
  }
}
