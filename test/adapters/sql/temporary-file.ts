import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A path for a database of the test, removed when the test is over. */
export function temporaryFile(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'dostava-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'test.sqlite');
}
