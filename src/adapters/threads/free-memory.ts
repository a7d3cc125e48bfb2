/** From this size on, what a document leaves behind on a thread is worth collecting at once. */
const LARGE_BYTES = 1_048_576;

/**
 * After a task: frees its bytes, which whoever calls this still holds. After a large document a thread that waits for the next one would also
 * keep what it has left behind, for ten MiB up to 200 MiB: V8 collects garbage when more is allocated, and an ordinary collection keeps the
 * pages of the young generation. Where the program was not started with the flag for it, this happens.
 */
export function freeMemory({ buffer }: Uint8Array<ArrayBuffer>, bytesDone: number): void {
  // They may have left with the answer.
  if (!buffer.detached) buffer.transfer(0);
  if (isLarge(bytesDone)) freeAll();
}

export function isLarge(bytes: number): boolean {
  return bytes >= LARGE_BYTES;
}

/** Everything that can be collected on this thread, with its pages: some 70 ms in which nothing else is done. */
export function freeAll(): void {
  if (typeof gc === 'function') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
