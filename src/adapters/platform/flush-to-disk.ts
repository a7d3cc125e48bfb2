import { open } from 'node:fs/promises';

/** Makes a file, or the names in a folder, survive a power failure. */
export async function flushToDisk(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}
