import { writeFile } from 'node:fs/promises';
import { OperatorError } from '../application/errors/operator-error.ts';

/** Writes a file that only its owner can read and that must not exist yet; errors mention its name. */
export async function writeNewFile(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError('refused', `${file} cannot be written: ${error.code ?? error.message}.`);
  });
}
