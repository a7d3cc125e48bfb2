import { readFileSync } from 'node:fs';

/** The version of the program. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return String((JSON.parse(text) as { readonly version: unknown }).version);
}
