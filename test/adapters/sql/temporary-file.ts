import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../../support/process.ts';

/** A path for a database of the test, removed when the test is over. */
export function temporaryFile(test: TestContext): string {
  const folder = temporaryFolder();
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'test.sqlite');
}
