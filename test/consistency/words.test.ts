import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectFile, sourceFiles } from './source-files.ts';

/** Words that the glossary replaced (docs/decisions/0017-glossary.md), with what is said instead. */
const RETIRED: Readonly<Record<string, string>> = {
  errand: 'recurring task',
  storekeeper: 'database tools',
  'give-?way': 'lower priority',
  'hand-?over': 'send',
  'find-?out(?!b)': 'resolve lost answer',
  'fetch-?final': 'fetch container',
  movable: 'transferable',
  'folded-?content': 'serialised content',
  systemChance: 'random',
  complaint: 'reported error',
  verdict: 'outcome, check',
  objection: 'finding',
  'other-?methods': 'method not allowed',
  'forget-?submissions': 'expire idempotency records',
  bookkeeper: 'accountant',
};

/** Released migrations keep the names they were released with; the glossary and this test name what they retire. */
const EXEMPT =
  /^(?:src\/adapters\/sql\/migrations\/|test\/engines\/rolling-restart|docs\/decisions\/0017|test\/consistency\/words\.test\.ts$)/u;

test('no retired word is used in the program, its tests or its documents', () => {
  const folders = ['src', 'simulator', 'client/src', 'examples', 'test', 'bench', 'scripts'];
  const files = [
    ...sourceFiles(folders, '.ts'),
    ...sourceFiles(['docs', 'simulator', 'client', 'examples', 'deploy'], '.md'),
    ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map((path) => ({
      path,
      text: projectFile(path),
    })),
  ].filter(({ path }) => !EXEMPT.test(path));
  assert.ok(files.length >= 500, `${files.length} files`);
  const found = files.flatMap(({ path, text }) =>
    Object.entries(RETIRED).flatMap(([word, instead]) =>
      new RegExp(`(?<![a-z])(?:${word})`, 'iu').test(`${path}\n${text}`) ? [`${path}: ${word} (say: ${instead})`] : [],
    ),
  );
  assert.deepEqual(found, []);
});
