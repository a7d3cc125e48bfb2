import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILURE_CATALOGUE } from '../../src/application/errors/failure-catalogue.ts';
import { projectFile, sourceFiles } from './source-files.ts';

type Row = readonly [code: string, status: string, meaning: string, remedy: string];

function catalogueRows(): readonly Row[] {
  return Object.entries(FAILURE_CATALOGUE).map(([code, { status, meaning, remedy }]) => [
    code,
    status,
    meaning,
    remedy,
  ]);
}

/** The rows of the table under the heading "Failure codes". */
function documentedRows(): readonly Row[] {
  const section = projectFile('docs/delivery.md').split('## Failure codes')[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([A-Z][^`]+)` \| (.+?) \| (.+?) \| (.+?) \|$/gmu)].map(
    ([, code = '', status = '', meaning = '', remedy = '']) => [code, status, meaning, remedy],
  );
}

test('docs/delivery.md has a row for every failure code, word for word, and for no other', () => {
  assert.ok(catalogueRows().length >= 10);
  assert.deepEqual(documentedRows(), catalogueRows());
});

test('every code of the catalogue is used by the program', () => {
  const program = sourceFiles(['src'], '.ts').filter(({ path }) => !path.endsWith('failure-catalogue.ts'));
  const names: Readonly<Record<string, string>> = {
    'UJP-<code>': 'UJP-',
    CREDENTIALS: 'ACCOUNT_REFUSED',
    'REQUEST-REFUSED': 'REQUEST_REFUSED',
  };
  for (const [code] of catalogueRows()) {
    const wanted = names[code] ?? code;
    assert.ok(
      program.some(({ text }) => text.includes(`'${wanted}`) || text.includes(`code: ${wanted}`)),
      code,
    );
  }
});

test('no document of ours names a failure code that does not exist', () => {
  const codes = new Set(catalogueRows().map(([code]) => code));
  const pattern = /`((?:AUTHORITY|REQUEST|SERVICE|SIGNER|NOT|SUPPLIER|TOTALS|DUPLICATE)-[A-Z]+|CREDENTIALS)`/gu;
  const pages = [...sourceFiles(['docs'], '.md'), { path: 'README.md', text: projectFile('README.md') }];
  for (const { path, text } of pages) {
    const unknown = [...text.matchAll(pattern)].map(([, code = '']) => code).filter((code) => !codes.has(code));
    assert.deepEqual(unknown, [], path);
  }
});
