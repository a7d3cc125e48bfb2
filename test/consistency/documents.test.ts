import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { PROJECT } from '../support/process.ts';
import { projectFile, sourceFiles } from './source-files.ts';

const PAGES = [
  ...[
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'simulator/README.md',
    'client/README.md',
  ].map((path) => ({
    path,
    text: projectFile(path),
  })),
  ...sourceFiles(['docs', 'examples', 'deploy'], '.md'),
];

/** A path of the project in a page: from the root, or from `src` where a walk through the program is told. */
const PATH = /`((?:[\w-]+\/)+[\w.-]+\.(?:ts|sql|md|json|xml|xsd))`/gu;
const LINK = /\]\(([^)#:]+)(?:#[^)]*)?\)/gu;

test('every file that a document names exists', () => {
  const named = PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(PATH)].map(([, file = '']) => ({ path, file })).filter(({ file }) => !file.includes('<')),
  );
  assert.ok(named.length >= 20, `${named.length} paths`);
  const missing = named.filter(
    ({ file }) => !existsSync(join(PROJECT, file)) && !existsSync(join(PROJECT, 'src', file)),
  );
  assert.deepEqual(missing, []);
});

test('every link from one document to another leads somewhere', () => {
  const links = PAGES.flatMap(({ path, text }) => [...text.matchAll(LINK)].map(([, to = '']) => ({ path, to })));
  assert.ok(links.length >= 10, `${links.length} links`);
  const broken = links.filter(({ path, to }) => !existsSync(join(PROJECT, dirname(path), to)));
  assert.deepEqual(broken, []);
});

/** As they become addresses on a page that is rendered. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = markdown.replaceAll(/^```.*?^```$/gmsu, '').matchAll(/^#+ (.*)$/gmu);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('every link to a section of a document leads to one', () => {
  const links = PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)#:]*\.md)?#([^)]+)\)/gu)].map(([, to, anchor = '']) => ({
      path,
      to: to === undefined ? path : join(dirname(path), to),
      anchor,
    })),
  );
  assert.ok(links.length >= 20, `${links.length} links`);
  assert.deepEqual(
    links.filter(({ to, anchor }) => !anchorsOf(projectFile(to)).has(anchor)),
    [],
  );
});

/** Commands of the operator as a page gives them: whole spans of code, or lines of a block. */
const GIVEN = /(?:`|^ *)(?:npm run -s )?dostava (?:-- )?([a-z][^`\n]*)/gmu;

/** What is wrong with the words of a command; null where they name one, or a group of them, and options that it has. */
function wrongUse(words: string): string | null {
  if (/^(?:serve|completion)\b/u.test(words)) return null;
  const command = COMMANDS.find(({ name }) => `${words} `.startsWith(`${name} `));
  if (command === undefined)
    return COMMANDS.some(({ name }) => name.startsWith(`${words} `)) ? null : 'no such command';
  const known = [...Object.keys(command.options), 'json', 'help'];
  const given = [...words.matchAll(/ --([a-z0-9-]+)/gu)].map(([, option = '']) => option);
  const strange = given.filter((option) => !known.includes(option));
  return strange.length === 0 ? null : `no option ${strange.join()}`;
}

test('every command that a document gives exists, with the options that it is given', () => {
  const given = PAGES.filter(({ path }) => path !== 'CHANGELOG.md').flatMap(({ path, text }) =>
    [...text.matchAll(GIVEN)].map(([, words = '']) => ({ path, words: words.trim() })),
  );
  assert.ok(given.length >= 100, `${given.length} commands`);
  const wrong = given
    .map((each) => ({ ...each, reason: wrongUse(each.words) }))
    .filter(({ reason }) => reason !== null);
  assert.deepEqual(wrong, []);
});
