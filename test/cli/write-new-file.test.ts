import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeNewFile } from '../../src/cli/write-new-file.ts';
import { temporaryFolder } from '../support/process.ts';

test('a file is written whole, for its owner alone, and never over another', async () => {
  const file = join(temporaryFolder(), 'sent.json');
  await writeNewFile(file, 'первиот');
  await assert.rejects(writeNewFile(file, 'second'), { message: `${file} cannot be written: EEXIST.` });
  assert.equal(readFileSync(file, 'utf8'), 'первиот');
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('where there is no room for all of it, nothing is left under its name', () => {
  const file = join(temporaryFolder(), 'sent.json');
  const module = new URL('../../src/cli/write-new-file.ts', import.meta.url).href;
  const program = `const { writeNewFile } = await import('${module}'); await writeNewFile('${file}', 'x'.repeat(100_000));`;
  const limited = 'ulimit -f 8; unset NODE_COMPILE_CACHE; exec "$0" "$@"';
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
  const { status, stderr } = spawnSync('sh', ['-c', limited, process.execPath, ...args], { encoding: 'utf8' });
  assert.notEqual(status, 0);
  assert.match(stderr, /sent\.json cannot be written: EFBIG\./u);
  assert.equal(existsSync(file), false);
});
