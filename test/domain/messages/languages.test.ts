import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LANGUAGES, type Language, type MessageKey, TEXTS } from '../../../src/domain/messages/languages.ts';
import { VALUE_IN_TEXT } from '../../../src/domain/messages/message.ts';

const KEYS = Object.keys(TEXTS.en) as readonly MessageKey[];

function valueNames(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\{(\w+)[^{}]*\}/gu)].map(([, name = '']) => name))].toSorted();
}

/** What is Latin in a Macedonian text because it is a name in the document or in the interface, or a code, and no English word. */
const NAMES =
  /\bc[ab]c:\w+|%D0%9C|\bEUID\b|\bEUJP-ID\b|\bDAY\b|\bX-[A-Z][\w-]+|\b(?:100-continue|API|ASCII|CDATA|CR|Content-Length|CreditNote|DA|DOCTYPE|EBCDIC|Expect|GET|HTTP(?:\/[\d.]*\d)?|Host|IntegrationApi|Invoice|JSON|LF|MK|NUL|PDF|POST|RD|RFC|S|SHA-256|Transfer-Encoding|U\+0000|UBL|URI|URL|US-ASCII|UTF-\d+|VAT|XML|after|audit_adoption|chunk|chunked|documentNumber|euid|eventId|false|pageSize|sha256|true|ujp|wait)\b/gu;

/** Without its values; of a number that takes a form, both forms. */
function saidIn(text: string): string {
  return text.replace(VALUE_IN_TEXT, (_, _name: string, one = '', several = '') => ` ${one} ${several} `);
}

describe('the languages', () => {
  test('are Macedonian and English, with a good number of messages', () => {
    assert.deepEqual([...LANGUAGES], ['mk', 'en']);
    assert.ok(KEYS.length >= 250, `${KEYS.length} messages`);
  });

  for (const language of LANGUAGES.filter((one) => one !== 'en')) {
    test(`${language} has every key of English and no other, each with the same values`, () => {
      const texts: Readonly<Record<string, string>> = TEXTS[language];
      assert.deepEqual(Object.keys(texts).toSorted(), KEYS.toSorted());
      for (const key of KEYS) assert.deepEqual(valueNames(texts[key] ?? ''), valueNames(TEXTS.en[key]), key);
    });
  }

  test('have no text twice under different keys, so that one is not changed without the other', () => {
    for (const language of LANGUAGES) {
      const keys = Map.groupBy(KEYS, (key) => TEXTS[language as Language][key]);
      assert.deepEqual(
        [...keys.values()].filter((same) => same.length > 1),
        [],
        language,
      );
    }
  });

  test('have braces for values alone', () => {
    for (const texts of Object.values(TEXTS)) {
      for (const [key, text] of Object.entries(texts))
        assert.doesNotMatch(text.replace(VALUE_IN_TEXT, ''), /[{}]/u, key);
    }
  });
});

test('no Macedonian text has an English word: Latin letters are names of elements and codes', () => {
  for (const key of KEYS) assert.doesNotMatch(saidIn(TEXTS.mk[key]).replace(NAMES, ''), /[a-z]/iu, key);
});

test('no English text has a Cyrillic letter, and no Macedonian one a letter that only looks Cyrillic', () => {
  for (const key of KEYS) {
    assert.doesNotMatch(TEXTS.en[key], /\p{Script=Cyrillic}/u, key);
    assert.doesNotMatch(saidIn(TEXTS.mk[key]).replace(NAMES, ''), /[^\p{Script=Cyrillic}\d\s.,:;()„“%?-]/u, key);
  }
});
