import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { temporaryFile } from '../temporary-file.ts';
import { startChild } from './child-program.ts';

/** In MiB. */
async function grownBy(context: TestContext, count: number, bytes: number): Promise<number> {
  const child = startChild('./write-large-files.ts', temporaryFile(context), String(count), String(bytes));
  await child.ended;
  assert.match(child.lines.join(), /^-?\d+$/u);
  return Number(child.lines[0]);
}

describe('files that were written leave nothing in memory', () => {
  test('many of less than a MiB', async (context) => {
    const grown = await grownBy(context, 120, 600_000);
    assert.ok(grown < 25, `${grown} of 69 MiB`);
  });

  test('a large one', async (context) => {
    const grown = await grownBy(context, 1, 80_000_000);
    assert.ok(grown < 40, `${grown} of 76 MiB`);
  });
});
