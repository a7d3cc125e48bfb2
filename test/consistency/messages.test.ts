import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTHORITY_CODES } from '../../src/domain/messages/en/authority-codes.ts';
import { TEXTS } from '../../src/domain/messages/languages.ts';
import { sourceFiles } from './source-files.ts';

test('every message is used by the program', () => {
  const program = sourceFiles(['src'], '.ts').filter(({ path }) => !path.startsWith('src/domain/messages/'));
  const named = new Set(program.flatMap(({ text }) => [...text.matchAll(/'([a-z][a-z-]*)'/gu)].map(([, key]) => key)));
  // The codes are found by the authority's answer.
  const keys = Object.keys(TEXTS.en).filter((key) => !Object.hasOwn(AUTHORITY_CODES, key));
  assert.ok(keys.length >= 150);
  assert.deepEqual(
    keys.filter((key) => !named.has(key)),
    [],
  );
});
