import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewOfBytes } from '../../../../src/adapters/ubl/content/view-of-bytes.ts';

const PAYLOAD = JSON.stringify({ document: { documentNumber: 'A-1', docItems: [] } });

test('a document in the form of the authority is shown, however many blanks it begins with', () => {
  const shown = (text: string) => viewOfBytes(new TextEncoder().encode(text));
  const view = shown(PAYLOAD);
  assert.ok(view !== null);
  for (const start of [' ', '\r\n\t', ' '.repeat(1_000), '\u{feff}', `\u{feff}${'\n'.repeat(100)}`]) {
    assert.deepEqual(shown(`${start}${PAYLOAD}`), view);
  }
});
