import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PROJECT } from '../support/process.ts';

const FOLDERS = ['./mutants/', './postgres/mutants/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
const FEWEST = 20;

const run = promisify(execFile);

test('every planted bug says what is wrong, and can still be planted', async () => {
  const patches = FOLDERS.flatMap((folder) => readdirSync(folder).map((file) => `${folder}${file}`));
  assert.ok(patches.length >= FEWEST, `${patches.length} planted bugs`);
  for (const patch of patches) {
    assert.match(readFileSync(patch, 'utf8'), /^[A-Z][^\n]{20,}\.\n\ndiff --git a\/src\//u, patch);
    await run('git', ['apply', '-C1', '--check', patch], { cwd: PROJECT });
  }
});
