import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTHORITY_CODES } from '../../../src/domain/messages/en/authority-codes.ts';
import { DELIVERY } from '../../../src/domain/messages/en/delivery.ts';
import type { MessageKey } from '../../../src/domain/messages/languages.ts';
import type { Sentence } from '../../../src/domain/messages/message.ts';
import { recordedText } from '../../../src/domain/messages/recorded-text.ts';
import { inEnglish, render } from '../../../src/domain/messages/render.ts';

/** No sentences of their own: they stand within others. */
const WITHIN_OTHERS = ['quotation'];

function sentenceOf([key, text]: readonly [string, string]): Sentence {
  const names = [...text.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name);
  return { key: key as MessageKey, values: Object.fromEntries(names.map((name, index) => [name, `value ${index}`])) };
}

const ALL = Object.entries({ ...DELIVERY, ...AUTHORITY_CODES })
  .filter(([key]) => !WITHIN_OTHERS.includes(key))
  .map(sentenceOf);

test('every sentence that was put on record in English is found again, alone and between others', () => {
  const [beside] = ALL;
  assert.ok(beside !== undefined && ALL.length > 50);
  for (const sentence of ALL) {
    for (const sentences of [[sentence], [beside, sentence, beside]]) {
      assert.equal(recordedText('mk', inEnglish(...sentences)), render('mk', sentences), sentence.key);
      assert.equal(recordedText('en', inEnglish(...sentences)), inEnglish(...sentences));
    }
  }
});

test('what is no such sentence stays as it is, and nothing of it is lost', () => {
  const known = inEnglish({ key: 'request-refused', values: {} });
  for (const text of ['', 'No full stop', 'Невалиден сертификат. E7777.', 'a. b. c', '. . .', '   ', 'It says: ']) {
    assert.equal(recordedText('mk', text).replaceAll(' ', ''), text.replaceAll(' ', ''), text);
    const mixed = recordedText('mk', `${known} ${text}`);
    assert.ok(mixed.startsWith(render('mk', [{ key: 'request-refused', values: {} }])), mixed);
  }
  const quoted = recordedText('mk', `${known} It says: E7777 “First. Second”.`);
  assert.match(quoted, /E7777 “First. Second”\.$/u);
});
