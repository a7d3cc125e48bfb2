import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../../../src/adapters/platform/timers.ts';
import { createAuthorityDocuments } from '../../../../src/adapters/ujp/as-ubl/authority-documents.ts';
import { edb } from '../../../engines/samples.ts';
import { startChild } from '../../../support/child-program.ts';

const TENANT = edb('4030026000018');
const LONG = 'x'.repeat(40_000);

test('a large file is never parsed on the thread that answers, however it begins', async (t) => {
  const documents = createAuthorityDocuments({ timers: systemTimers });
  t.after(() => documents.close());
  const parse = t.mock.method(JSON, 'parse');
  for (const text of [`{"a":"${LONG}"}`, `${' '.repeat(200)}{"a":"${LONG}"}`, `["${LONG}"]`, `<a>${LONG}</a>`]) {
    const bytes = new TextEncoder().encode(text);
    assert.equal(await documents.isDocument(TENANT, bytes), false);
    assert.equal((await documents.toUbl(TENANT, bytes)).outcome, 'refused');
  }
  assert.equal(parse.mock.callCount(), 0);
});

test('a large file leaves nothing in memory', async () => {
  const child = startChild(new URL('./read-large-file.ts', import.meta.url));
  await child.ended;
  assert.match(child.lines.join(), /^-?\d+$/u);
  // While it is read, 170.
  assert.ok(Number(child.lines[0]) < 60, `${child.lines[0]} MiB`);
});
