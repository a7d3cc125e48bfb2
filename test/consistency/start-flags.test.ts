import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DOSTAVA_FLAGS, flagsOf, START_FLAGS } from '../support/start-flags.ts';

test('whichever way the program is started, it runs with the same flags', () => {
  const main = readFileSync(new URL('../../src/main.ts', import.meta.url), 'utf8');
  assert.ok(START_FLAGS.length > 1);
  assert.deepEqual(DOSTAVA_FLAGS, START_FLAGS);
  assert.deepEqual(flagsOf(main.split('\n')[0] ?? ''), START_FLAGS);
});
