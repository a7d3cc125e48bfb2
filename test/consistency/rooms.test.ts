import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { PROJECT } from '../support/process.ts';
import { sourceFiles } from './source-files.ts';

/** Files in one folder; more are two rooms. */
const MOST_FILES = 16;

/** Test rooms that stand for a question instead of a folder of the program. */
const OWN_ROOMS = [
  'alerts',
  'bench',
  'client',
  'consistency',
  'contract',
  'examples',
  'extensions',
  'delivery',
  'engines',
  'intake',
  'openapi',
  'schemas',
  'simulation',
  'simulator',
  'support',
  'system',
];

function foldersOf(root: string): readonly string[] {
  const entries = readdirSync(`${PROJECT}${root}`, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => `${entry.parentPath}/${entry.name}`);
}

test(`no folder of the program has more than ${MOST_FILES} files`, () => {
  const files = sourceFiles(['src', 'simulator', 'client/src'], '.ts');
  const counts = Map.groupBy(files, ({ path }) => dirname(path));
  assert.ok(counts.size >= 30, `${counts.size} folders`);
  const crowded = [...counts].filter(([, inside]) => inside.length > MOST_FILES).map(([folder]) => folder);
  assert.deepEqual(crowded, []);
});

test('the folders of the tests are those of the program, but for the rooms of their own', () => {
  const below = (root: string) => foldersOf(root).map((folder) => folder.slice(`${PROJECT}${root}/`.length));
  const program = new Set(below('src'));
  const others = below('test').filter((folder) => !OWN_ROOMS.includes(folder.split('/')[0] ?? ''));
  assert.ok(others.length >= 20, `${others.length} folders of tests`);
  assert.deepEqual(
    others.filter((folder) => !program.has(folder)),
    [],
  );
});
