import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type MessageKey, TEXTS } from '../../../src/domain/messages/languages.ts';
import { listed, type Message, message, type Sentence } from '../../../src/domain/messages/message.ts';
import { inEnglish, render, renderStored } from '../../../src/domain/messages/render.ts';
import { fc } from '../../support/seeds.ts';

const PATH = '/Invoice/cac:InvoiceLine[2]/cac:Price';
const LINE = message('line-named', { number: '2', item: 'Кафе' });

describe('a sentence', () => {
  test('has its values, its full stop and, where they are known, its line and its element', () => {
    assert.equal(inEnglish(message('price-missing')), 'The price of the line is missing; state it.');
    const placed = { ...message('price-missing'), line: LINE, path: PATH };
    assert.equal(inEnglish(placed), `Line “2” (“Кафе”): the price of the line is missing; state it (${PATH}).`);
    assert.equal(render('mk', [placed]), `Ставка „2“ („Кафе“): недостасува цената на ставката; наведете ја (${PATH}).`);
  });

  test('keeps the capitals of an abbreviation and of a quotation behind its line', () => {
    const first = { ...message('not-a-number', { value: 'Abc' }), line: LINE };
    assert.match(inEnglish(first), /\): “Abc” is not a number/u);
    const abbreviation = { ...message('indicator-unknown', { code: 'X', list: 'tax-indicators' }), line: LINE };
    assert.match(render('mk', [abbreviation]), /\): УЈП нема/u);
  });

  test('has messages and lists of them as values, in the same language', () => {
    const errors = listed([listed(['E1', message('quotation', { text: 'а' })], ' '), 'E2'], '; ');
    const said = message('authority-says', { errors });
    assert.equal(
      render('en', [said, message('not-at-authority')]),
      'It says: E1 “а”; E2. It does not have the document.',
    );
    assert.equal(render('mk', [said]), 'Порака од УЈП: E1 „а“; E2.');
  });

  test('shows whatever a value holds as it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('{value}', '{key}', '$&', "$'", '__proto__')), (value) => {
        assert.equal(inEnglish(message('not-a-number', { value })), `“${value}” is not a number; correct it.`);
      }),
    );
  });
});

describe('stored sentences', () => {
  const TEXT = 'As it was stored.';

  test('survive being stored as JSON', () => {
    const stored = JSON.parse(JSON.stringify([{ ...message('price-missing'), line: LINE, path: PATH }])) as Sentence[];
    assert.match(renderStored('mk', stored, TEXT), /^Ставка „2“ .*\(\/Invoice.*\)\.$/u);
  });

  test('of an earlier version are none: the text is shown', () => {
    assert.equal(renderStored('mk', null, TEXT), TEXT);
  });

  test('of a later version, with keys or values that are not known, are the text', () => {
    const unknown: readonly Message[] = [
      { key: 'of-a-later-version' as MessageKey, values: {} },
      { key: 'constructor' as MessageKey, values: {} },
      { key: 'not-a-number', values: { number: 1 } },
      { key: 'authority-says', values: { errors: { key: 'toString' as MessageKey, values: {} } } },
    ];
    for (const one of unknown) assert.equal(renderStored('en', [one], TEXT), TEXT, one.key);
  });
});

test('every text of every language ends without a full stop, which the sentence adds', () => {
  for (const texts of Object.values(TEXTS)) {
    for (const [key, text] of Object.entries(texts)) assert.doesNotMatch(text, /[.\s]$|^\s/u, key);
  }
});
