import { readFile } from 'node:fs/promises';

const FOLDER = new URL('../../../docs/examples/', import.meta.url);

/** Documents to try with. They are served so that a command needs no checkout. */
export const EXAMPLES = ['invoice.xml', 'credit-note.xml'] as const;

/** The bytes of an example; null where there is none of that name. */
export async function readExample(name: string): Promise<Uint8Array | null> {
  const known = EXAMPLES.find((one) => one === name);
  return known === undefined ? null : readFile(new URL(known, FOLDER));
}
