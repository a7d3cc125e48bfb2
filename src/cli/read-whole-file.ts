import { createReadStream } from 'node:fs';
import { OperatorError } from '../application/errors/operator-error.ts';

/** Reads a file that the operator names; errors mention that name. No more than one byte beyond the limit is read. */
export async function readWholeFile(file: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of createReadStream(file, { end: maxBytes })) chunks.push(chunk as Uint8Array);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError('refused', `${file} cannot be read: ${code ?? message}.`);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) throw new OperatorError('refused', `${file} is empty.`);
  if (bytes.length > maxBytes) throw new OperatorError('refused', `${file} has more than ${maxBytes} bytes.`);
  return bytes;
}
