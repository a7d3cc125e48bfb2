import { isAbsolute } from 'node:path';
import type { VariableReader } from './variable-reader.ts';

/** A relative one is another folder for whoever starts a service or gives a command elsewhere. */
export function refuseRelativeFolders(read: VariableReader, names: readonly string[]): void {
  for (const name of names) {
    if (!isAbsolute(read.text(name, '/'))) read.error(`${name}: must be an absolute folder, which begins with /`);
  }
}
