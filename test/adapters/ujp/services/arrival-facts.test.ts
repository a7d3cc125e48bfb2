import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { payloadFacts, statusRowFacts } from '../../../../src/adapters/ujp/services/arrival-facts.ts';
import { anyCharacters, fc } from '../../../support/seeds.ts';

const NOTHING = {
  senderName: null,
  senderEdb: null,
  senderCountry: null,
  documentNumber: null,
  amount: null,
  currency: null,
};
const arrivalFacts = (text: string) => payloadFacts(text).facts;
const unreadable = (text: string) => payloadFacts(text).unreadable;
/** Nothing that acts on a terminal, breaks a line, or that a database does not take. */
const CONTROL = /\p{Cc}/u;
const LONGEST = 200;

function payload(parts: {
  readonly seller?: unknown;
  readonly docNumber?: unknown;
  readonly amount?: unknown;
  readonly currency?: unknown;
}): string {
  return JSON.stringify({
    requestTimestamp: '2026-11-15T10:00:00',
    document: {
      header: { docNumber: parts.docNumber },
      seller: parts.seller,
      docPayment: { docCurrencyCode: parts.currency },
      docTotals: { docFinalAmount: parts.amount },
    },
  });
}

describe('what a list shows of an arrival', () => {
  test('is read from the authority’s own form', () => {
    const seller = { sellerTin: '4030026000018', sellerName: 'АЛФА ДОО Скопје', sellerCCode: 'MK' };
    assert.deepEqual(arrivalFacts(payload({ seller, docNumber: '2026-1', amount: 118.5, currency: 'MKD' })), {
      senderName: 'АЛФА ДОО Скопје',
      senderEdb: '4030026000018',
      senderCountry: 'MK',
      documentNumber: '2026-1',
      amount: '118.5',
      currency: 'MKD',
    });
  });

  test('has the tax number without its prefix, a foreign one as it is, and none that is too long for one', () => {
    const edbOf = (seller: unknown) => arrivalFacts(payload({ seller })).senderEdb;
    assert.equal(edbOf({ sellerTin: 'МК4030026000018' }), '4030026000018');
    assert.equal(edbOf({ sellerForeignTin: 'DE123456789' }), 'DE123456789');
    assert.equal(edbOf({ sellerTin: '4030026000018', sellerForeignTin: 'DE1' }), '4030026000018');
    assert.equal(edbOf({ sellerTin: '4'.repeat(31) }), null);
  });

  test('is nothing where there is nothing to read', () => {
    const empty = ['', 'null', '[]', '"text"', '17', '{', '{"document":[]}', '<xml/>', '[{"document":{}}]', '\u0000'];
    for (const text of empty) assert.deepEqual(arrivalFacts(text), NOTHING, text);
    assert.deepEqual(arrivalFacts(payload({ seller: [], docNumber: 7, amount: '118', currency: ' ' })), NOTHING);
    assert.deepEqual(arrivalFacts('['.repeat(1_000_000)), NOTHING);
    assert.deepEqual(arrivalFacts('{"__proto__":{"document":{"header":{"docNumber":"x"}}}}'), NOTHING);
  });

  test('is told apart from what cannot be read, with the reason', () => {
    const seller = { sellerTin: '4030026000018', sellerName: 'АЛФА ДОО Скопје' };
    assert.equal(unreadable(payload({ seller, docNumber: '2026-1', amount: 118.5 })), null);
    assert.equal(unreadable(payload({ seller: { sellerForeignTin: 'DE1' }, docNumber: '2026-1', amount: 0 })), null);
    const deep = payload({ seller, docNumber: '2026-1' }).replace('"2026-1"', `${'['.repeat(200)}${']'.repeat(200)}`);
    for (const text of ['', '{', '<xml/>', 'x', 'N/A', 'Недостапно', deep])
      assert.match(unreadable(text) ?? '', /no readable JSON/u);
    for (const text of ['null', '[]', '17', '{}', '{"document":[]}']) {
      assert.match(unreadable(text) ?? '', /holds no document/u);
    }
    assert.match(unreadable(payload({ seller, docNumber: '2026-1', amount: '118.50' })) ?? '', /: amount$/u);
    assert.match(unreadable(payload({ seller: 7, docNumber: 7 })) ?? '', /: number, sender, amount$/u);
  });

  test('is read from a row of the authority’s list as far as it goes', () => {
    const row = { sellerTin: 'MK4030026000018', docNumber: '2026-1', docFinalAmount: 118.5 };
    const facts = { ...NOTHING, senderEdb: '4030026000018', documentNumber: '2026-1', amount: '118.5' };
    assert.deepEqual(statusRowFacts(row), facts);
    assert.deepEqual(statusRowFacts({ ...row, docFinalAmount: '118.5' }), facts);
    assert.deepEqual(statusRowFacts({ sellerTin: 7, docNumber: {}, docFinalAmount: '1e5' }), NOTHING);
  });

  test('has amounts in plain notation, or none', () => {
    const amountOf = (amount: unknown) => arrivalFacts(payload({ amount })).amount;
    assert.deepEqual([0, -1.5, 1e20].map(amountOf), ['0', '-1.5', '100000000000000000000']);
    assert.deepEqual([1e21, 1e-7, null, true, '5'].map(amountOf), [null, null, null, null, null]);
  });

  test('is one line of bounded length that every database takes, whatever the sender wrote', () => {
    const text = fc.oneof(
      anyCharacters({ maxLength: 400 }),
      fc.constantFrom('\u0000', 'a\u0000b', 'x\r\ny', '\ud800', '\u001b[2J', 'н'.repeat(100_000), '\u0085'),
    );
    const hostile = fc.record({
      seller: fc.record({ sellerName: text, sellerTin: text, sellerForeignTin: text }, { requiredKeys: [] }),
      docNumber: text,
      currency: text,
      amount: fc.oneof(fc.double(), text),
    });
    fc.assert(
      fc.property(hostile, (parts) => {
        for (const value of Object.values(arrivalFacts(payload(parts)))) {
          if (value === null) continue;
          assert.ok(value.trim() === value && value !== '' && value.length <= LONGEST);
          assert.ok(value.isWellFormed());
          assert.doesNotMatch(value, CONTROL);
        }
      }),
    );
  });

  test('never fails, whatever comes', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void arrivalFacts(text)));
    const anything = fc.anything({ maxDepth: 3 });
    fc.assert(
      fc.property(anything, anything, anything, (seller, docNumber, amount) => {
        arrivalFacts(JSON.stringify({ document: { header: { docNumber }, seller, docTotals: amount } }, replaceBigInt));
      }),
    );
  });
});

function replaceBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
