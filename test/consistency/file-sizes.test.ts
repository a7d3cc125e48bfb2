import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceFiles } from './source-files.ts';

const LONGEST_LINES = 250;

/** What is made from the interface descriptions is as long as they are. */
const PROGRAM = sourceFiles(['src', 'simulator', 'client/src'], '.ts').filter(
  ({ path }) => !path.startsWith('client/src/generated/'),
);

test(`no file of the program has more than ${LONGEST_LINES} lines`, () => {
  const files = PROGRAM.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }));
  assert.ok(files.length >= 100);
  assert.deepEqual(
    files.filter(({ lines }) => lines > LONGEST_LINES),
    [],
  );
});

test('no file is named after nothing in particular', () => {
  const vague = /(?:^|\/)(?:utils?|helpers?|common|misc|managers?|index|shared|base)\.ts$/u;
  const named = PROGRAM.filter(({ path }) => vague.test(path));
  assert.deepEqual(named, []);
});
