import assert from 'node:assert/strict';
import { test } from 'node:test';
import { START_FLAGS } from '../../bin/start-flags.js';
import { projectFile, type SourceFile, sourceFiles } from './source-files.ts';

/** Code and whatever starts it. */
const FOLDERS = ['bin', 'src', 'simulator', 'scripts', 'bench', 'test'];
const started: readonly SourceFile[] = [
  ...['.js', '.ts', '.json'].flatMap((ending) => sourceFiles(FOLDERS, ending)),
  ...['package.json', '.ci/run'].map((path) => ({ path, text: projectFile(path) })),
];

const nameOf = (flag: string) => flag.replace(/^--/u, '').replace(/=.*$/u, '');
const filesWith = (word: string) => started.filter(({ text }) => text.includes(word)).map(({ path }) => path);

test('the flags that the service runs with are named in one place', () => {
  // Not to be warned of experimental features, and to load a file first, is wanted by the tests and the scripts as well.
  const ours = START_FLAGS.map(nameOf).filter((name) => name !== 'disable-warning' && name !== 'import');
  assert.ok(ours.length > 1);
  // Threads have another young generation than the main thread, and tests have a larger heap.
  const tests = ['scripts/test-runner/run-job.ts'];
  const also: Readonly<Record<string, readonly string[]>> = {
    [['max', 'semi', 'space', 'size'].join('-')]: ['src/adapters/threads/pool-thread.ts', ...tests],
    [['initial', 'old', 'space', 'size'].join('-')]: tests,
    [['heap', 'growing', 'percent'].join('-')]: tests,
  };
  for (const name of ours) {
    assert.deepEqual(filesWith(name), ['bin/start-flags.js', ...(also[name] ?? [])], name);
  }
});

test('no flag changes what JavaScript can do: the base64 of one encodes views of buffers wrongly', () => {
  for (const flag of START_FLAGS) assert.doesNotMatch(flag, /^--(?:js|harmony|experimental)-/u);
  const name = ['js', 'base', '64'].join('-');
  assert.deepEqual([filesWith(name), filesWith(name.replaceAll('-', '_'))], [[], []]);
});
