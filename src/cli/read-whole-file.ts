import { readFile } from 'node:fs/promises';
import { OperatorError } from '../application/errors/operator-error.ts';

/** Reads a file that the operator names; errors mention that name. */
export async function readWholeFile(file: string): Promise<Uint8Array> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError('refused', `${file} cannot be read: ${error.code ?? error.message}.`);
  });
  if (bytes.length === 0) throw new OperatorError('refused', `${file} is empty.`);
  return bytes;
}
