import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTHORITY_CODES } from '../../src/domain/messages/en/authority-codes.ts';
import { type MessageKey, TEXTS } from '../../src/domain/messages/languages.ts';
import { sourceFiles } from './source-files.ts';

test('every message is used by the program', () => {
  const program = sourceFiles(['src'], '.ts').filter(({ path }) => !/^src\/domain\/messages\/(?:en|mk)\//u.test(path));
  const named = new Set(program.flatMap(({ text }) => [...text.matchAll(/'([a-z][a-z-]*)'/gu)].map(([, key]) => key)));
  const said = new Set(program.flatMap(({ text }) => [...text.matchAll(/'([A-Z][^'\n]*\.)'/gu)].map(([, one]) => one)));
  // The codes are found by the authority's answer.
  const keys = Object.keys(TEXTS.en).filter((key) => !Object.hasOwn(AUTHORITY_CODES, key));
  assert.ok(keys.length >= 150);
  assert.deepEqual(
    // A sentence without values may stand as it is where it is thrown.
    keys.filter((key) => !named.has(key) && !said.has(`${TEXTS.en[key as MessageKey]}.`)),
    [],
  );
});
