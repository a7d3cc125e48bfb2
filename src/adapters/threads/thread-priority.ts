import { readdir, readFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';

/** A higher priority than signing has: a client waits until its document has been read, but not until it has been signed. */
const READING_NICENESS = 15;
const MAX_NICENESS = 19;

/** The id by which the system calls mean the calling thread. */
const CALLING_THREAD = 0;

/** Where Linux lists the threads of this process. */
const THREADS_FOLDER = '/proc/self/task';
const LIBUV_THREAD_NAME = 'libuv-worker';

/**
 * Lowers the priority of the calling thread, so that work on large documents does not take a core from the thread that answers
 * requests. Only on Linux, where a priority belongs to a single thread; elsewhere it would slow down the whole process.
 */
export function lowerPriority(niceness = READING_NICENESS): void {
  if (process.platform === 'linux') lower(CALLING_THREAD, niceness);
}

/**
 * Lowers the priority of libuv's thread pool. Signatures are computed there, four at a time and for milliseconds each: on a small
 * machine they would take most of the CPU time from the main thread. Does nothing where the system does not list its threads.
 */
export async function lowerLibuvPriority(): Promise<void> {
  if (process.platform !== 'linux') return;
  // Reading a folder runs in libuv's pool as well, so its threads exist once this returns.
  const threads = await readdir(THREADS_FOLDER).catch(() => []);
  for (const thread of threads) {
    const name = await readFile(`${THREADS_FOLDER}/${thread}/comm`, 'utf8').catch(() => '');
    if (name.trim() === LIBUV_THREAD_NAME) lower(Number(thread), MAX_NICENESS);
  }
}

/** A hardened system may forbid it. That is no error: priorities only improve response times. */
function lower(thread: number, niceness: number): void {
  try {
    // The operator may have started the service with an even lower priority.
    setPriority(thread, Math.max(niceness, getPriority(thread)));
  } catch {
    // The thread keeps its priority.
  }
}
