import assert from 'node:assert/strict';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** The only file of a database that a finished copy leaves, without a log or journal. */
export function setAsideIn(dataDir: string): string {
  const files = readdirSync(dataDir).filter((name) => name.startsWith('dostava.sqlite'));
  assert.equal(files.length, 1, files.join());
  assert.match(files[0] as string, /^dostava\.sqlite\.copied-\d{4}-\d\d-\d\dT[\d-]+Z$/u);
  return join(dataDir, files[0] as string);
}

export function takeBack(dataDir: string): void {
  renameSync(setAsideIn(dataDir), join(dataDir, 'dostava.sqlite'));
}
