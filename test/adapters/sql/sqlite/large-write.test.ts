import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFile } from '../temporary-file.ts';
import { startChild } from './child-program.ts';

test('files that were written leave nothing in memory', async (context) => {
  const child = startChild('./write-large-files.ts', temporaryFile(context), '120');
  await child.ended;
  // They are 69 MiB together.
  const [grown = ''] = child.lines;
  assert.match(grown, /^-?\d+$/u);
  assert.ok(Number(grown) < 25, `${grown} MiB`);
});
