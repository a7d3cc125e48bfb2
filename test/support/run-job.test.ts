import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runJob } from '../../scripts/test-runner/run-job.ts';
import { isEnd } from '../../scripts/test-runner/test-report.ts';
import { temporaryFolder } from './process.ts';

test('a job of several files fails with a test of theirs, and with an error that no test waits for', async () => {
  const passes = fileWith('assert.ok(true)');
  assert.deepEqual(await endOf(passes, fileWith('await null')), [true, 0]);
  assert.deepEqual(await endOf(passes, fileWith('await null; assert.fail()')), [false, 1]);
  // The timer is of a test that has ended, and so is whatever goes on when it fires.
  const timer = 'globalThis.fired = new Promise((fire) => setTimeout(fire, 20))';
  const unhandled = 'await fired; Promise.reject(new Error("late")); await new Promise(setImmediate)';
  assert.equal((await endOf(passes, fileWith(timer, unhandled)))[0], false);
});

test('a job runs the tests with the names that were asked for, in one file and in several', async () => {
  const file = fileWith('assert.ok(true)');
  for (const files of [[file], [file, fileWith('assert.ok(true)')]]) {
    assert.deepEqual(await testsOf(files, ['so.e']), [true, files.length]);
    assert.deepEqual(await testsOf(files, ['another']), [true, 0]);
  }
});

function fileWith(...bodies: readonly string[]): string {
  const file = join(temporaryFolder(), 'some.test.mjs');
  const imports = `import assert from 'node:assert';\nimport { test } from 'node:test';\n`;
  writeFileSync(file, imports + bodies.map((body) => `test('some', async () => { ${body}; });\n`).join(''));
  return file;
}

async function endOf(...files: readonly string[]) {
  const end = await run(files, []);
  return [end?.success, end?.counts?.['failed']];
}

async function testsOf(files: readonly string[], namePatterns: readonly string[]) {
  const end = await run(files, namePatterns);
  return [end?.success, end?.counts?.['tests']];
}

async function run(files: readonly string[], namePatterns: readonly string[]) {
  const { signal } = new AbortController();
  // This process may be one of node:test's, which runs no others.
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const options = { timeoutMs: 120_000, namePatterns, environment, signal };
  return (await runJob({ lane: 'SQLite', files }, options)).findLast(isEnd)?.data;
}
