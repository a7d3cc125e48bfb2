import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { PROBLEM_CATALOGUE } from '../../src/application/problem-catalogue.ts';
import { startService, temporaryFolder } from '../support/process.ts';
import { CANNOT_PASTE, paste } from './bash.ts';
import { bashBlocks } from './markdown.ts';

const PAGE = new URL('../../docs/errors.md', import.meta.url);
const PRINTED_BASE = 'http://127.0.0.1:8080';

type Problem = { readonly type: string; readonly title: string; readonly status: number; readonly code: string };

test('every command of docs/errors.md shows the code of its section', { skip: CANNOT_PASTE }, async (t) => {
  const blocks = bashBlocks(await readFile(PAGE, 'utf8'));
  const service = await startService(t, { DATA_DIR: temporaryFolder() });

  await t.test('all 26 codes have one', () => {
    assert.equal(blocks.length, 26);
    assert.deepEqual(blocks.map(({ heading }) => heading).toSorted(), Object.keys(PROBLEM_CATALOGUE).toSorted());
  });

  for (const { heading: code, script } of blocks) {
    await t.test(code, async (t) => {
      assert.ok(script.includes(PRINTED_BASE));
      const printed = await paste(t, script.replaceAll(PRINTED_BASE, service.url));
      const problem = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '') as Problem;
      assert.deepEqual(Object.keys(problem), ['type', 'title', 'status', 'detail', 'code', 'eventId']);
      const { status, title } = PROBLEM_CATALOGUE[code as keyof typeof PROBLEM_CATALOGUE];
      const { type } = problem;
      assert.deepEqual(
        { code: problem.code, status: problem.status, title: problem.title, type },
        { code, status, title, type: `${service.url}/errors/${code}` },
      );
      const page = await fetch(type);
      assert.equal(page.status, 200);
      assert.ok((await page.text()).includes(code));
    });
  }
});
