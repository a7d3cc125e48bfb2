import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceFiles } from './source-files.ts';

/** What is sent has a MiB at most, or says no more than what to do. */
const SMALL_TASKS = [
  'src/adapters/sql/sqlite/threads/checkpoint-thread.ts',
  'src/adapters/sql/sqlite/threads/submission-thread.ts',
];

test('every thread gives memory back after a large document', () => {
  const threads = sourceFiles(['src'], '.ts').filter(({ text }) => text.includes("parentPort?.on('message'"));
  const keeping = threads
    .filter(({ text }) => !/\bfreeMemory\(\w+\.\w+, byteLength\)/u.test(text))
    .map(({ path }) => path);
  assert.ok(threads.length > SMALL_TASKS.length);
  assert.deepEqual(keeping, SMALL_TASKS);
});
