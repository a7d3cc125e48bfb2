import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROJECT, temporaryFolder } from '../support/process.ts';

const WAITING = 'await new Promise((resolve) => setTimeout(resolve, 50));';
const LOUD = {
  'thrown after the test': `import { test } from 'node:test';
    test('ends early', () => { setTimeout(() => { throw new Error('thrown after the test'); }, 5); });
    test('goes on', async () => { ${WAITING} });`,
  'thrown beside the test': `import { test } from 'node:test';
    test('waits', async () => { setTimeout(() => { throw new Error('thrown beside the test'); }, 5); ${WAITING} });`,
  'rejected and not awaited': `import { test } from 'node:test';
    test('waits', async () => { Promise.reject(new Error('rejected and not awaited')); ${WAITING} });`,
};

/** The runner takes from node:test what it knows errors by: they must not pass unseen for that. */
for (const [message, text] of Object.entries(LOUD)) {
  test(`an error that is ${message} fails the run and is shown`, () => {
    const file = join(temporaryFolder(), 'loud.test.mjs');
    writeFileSync(file, text);
    const { status, stdout } = spawnSync(process.execPath, ['scripts/run-tests.ts', file], {
      cwd: PROJECT,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    assert.equal(status, 1, stdout);
    assert.match(stdout, new RegExp(`"Error: ${message}"`, 'u'));
  });
}
