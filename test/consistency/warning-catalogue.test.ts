import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WARNING_CATALOGUE } from '../../src/domain/documents/conversion-warning.ts';
import { projectFile } from './source-files.ts';

/** The rows of the table under the heading "Warnings". */
function documentedRows(): readonly (readonly [code: string, meaning: string])[] {
  const section = projectFile('docs/delivery.md').split('\n## Warnings')[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([A-Z][^`]+)` \| (.+?) \|$/gmu)].map(([, code = '', meaning = '']) => [
    code,
    meaning,
  ]);
}

test('docs/delivery.md has a row for every code of a warning, word for word, and for no other', () => {
  const rows = Object.entries(WARNING_CATALOGUE);
  assert.ok(rows.length >= 10);
  assert.deepEqual(documentedRows(), rows);
});
