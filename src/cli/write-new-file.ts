import { open, rm } from 'node:fs/promises';
import { OperatorError } from '../application/errors/operator-error.ts';

/** Writes a file that only its owner can read and that must not exist yet, whole or not at all; errors mention its name. */
export async function writeNewFile(file: string, text: string): Promise<void> {
  try {
    await using handle = await open(file, 'wx', 0o600);
    await handle.writeFile(text).catch(async (error: unknown) => {
      await rm(file, { force: true });
      throw error;
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError('refused', `${file} cannot be written: ${code ?? message}.`);
  }
}
