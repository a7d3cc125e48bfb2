import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILURE_CATALOGUE } from '../../src/application/errors/failure-catalogue.ts';
import { ERROR_CODES, PROBLEM_CATALOGUE } from '../../src/application/errors/problem-catalogue.ts';
import { OUTBOUND_STATUSES } from '../../src/domain/documents/outbound-status.ts';
import { projectFile, sourceFiles } from './source-files.ts';

/** The cells of one column in the tables of a page. */
function cells(page: string, column: number): readonly string[] {
  return [...projectFile(page).matchAll(/^\| (.+) \|$/gmu)].map(([, row = '']) => row.split(' | ')[column] ?? '');
}

test('the list of guides has every guide, and no other', () => {
  const listed = [...projectFile('docs/guides/README.md').matchAll(/\]\(([\w-]+\.md)\)/gu)].map(([, name]) => name);
  const guides = sourceFiles(['docs/guides'], '.md').map(({ path }) => path.replace('docs/guides/', ''));
  assert.deepEqual(listed.toSorted(), guides.filter((name) => name !== 'README.md').toSorted());
});

test('the guide to errors says of each code what the software does, once', () => {
  const named = (pattern: RegExp) =>
    [1, 2].flatMap((column) =>
      cells('docs/guides/errors-by-class.md', column).flatMap((cell) =>
        [...cell.matchAll(pattern)].map(([, code = '']) => code),
      ),
    );
  assert.deepEqual(named(/`(ERR-\d{4})`/gu).toSorted(), ERROR_CODES.toSorted());
  const failures = named(/`([A-Z]+-[A-Z-]+|UJP-<code>|CREDENTIALS)`/gu).filter((code) => !code.startsWith('ERR'));
  assert.deepEqual(failures.toSorted(), Object.keys(FAILURE_CATALOGUE).toSorted());
});

test('the guide to errors names each HTTP status that answers have without a code alone', () => {
  const described = ['openapi.json', 'openapi-extensions.json'].flatMap((name) =>
    [...projectFile(name).matchAll(/^ +"([45]\d\d)": \{$/gmu)].map(([, status = '']) => status),
  );
  const withCode = new Set(ERROR_CODES.map((code) => String(PROBLEM_CATALOGUE[code].status)));
  const codes = cells('docs/guides/errors-by-class.md', 2).join(' ');
  const missing = [...new Set(described)].filter((status) => !withCode.has(status) && !codes.includes(` ${status}`));
  assert.deepEqual(missing, []);
  assert.ok(described.includes('503'));
});

test('the guide to following documents says of each status what the software does', () => {
  const statuses = cells('docs/guides/following-documents.md', 0).flatMap((cell) => /^(\d{2}) /u.exec(cell)?.[1] ?? []);
  assert.deepEqual(statuses, OUTBOUND_STATUSES.map(String));
});
