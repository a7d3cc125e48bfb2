import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXPLANATIONS } from '../../../src/domain/messages/en/error-codes.ts';
import { PAGES } from '../../../src/domain/messages/en/pages.ts';
import { PAGES as PAGES_MK } from '../../../src/domain/messages/mk/pages.ts';
import { TRANSLATED_EXPLANATIONS } from '../../../src/domain/messages/page-texts.ts';

const EXPLAINED = Object.values(TRANSLATED_EXPLANATIONS.mk ?? {}).flatMap((one) => Object.values(one));
const MACEDONIAN: readonly string[] = [...Object.values(PAGES_MK), ...EXPLAINED];

test('every error code is explained in Macedonian', () => {
  assert.deepEqual(Object.keys(TRANSLATED_EXPLANATIONS.mk ?? {}), Object.keys(EXPLANATIONS));
});

test('every Macedonian text of a page is Macedonian, with no letter that only looks Cyrillic', () => {
  assert.equal(MACEDONIAN.length, Object.keys(PAGES).length + 4 * Object.keys(EXPLANATIONS).length);
  for (const text of MACEDONIAN) {
    assert.match(text, /\p{Script=Cyrillic}/u);
    assert.doesNotMatch(text, /\p{Script=Cyrillic}\p{Script=Latin}|\p{Script=Latin}\p{Script=Cyrillic}/u, text);
  }
});

test('an explanation is a sentence, and the word on retrying begins with yes, no or only', () => {
  for (const text of EXPLAINED) assert.match(text, /^(?:\p{Lu}|pageSize).*\.$/u, text);
  for (const { retry } of Object.values(TRANSLATED_EXPLANATIONS.mk ?? {})) assert.match(retry, /^(?:Да|Не|Само)/u);
});
