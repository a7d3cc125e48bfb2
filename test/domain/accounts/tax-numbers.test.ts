import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEdb } from '../../../src/domain/accounts/edb.ts';
import { foreignSpellings, listedTaxNumber, partyTaxNumber } from '../../../src/domain/accounts/tax-number.ts';
import type { PartyFacts } from '../../../src/domain/documents/invoice-facts.ts';
import { fc } from '../../support/seeds.ts';

const thirteenDigits = fc.stringMatching(/^[0-9]{13}$/);
const prefix = fc.constantFrom('', 'MK', 'mk', 'Mk', 'МК', 'мк', 'MK ', 'МК\u00a0', 'M\u041a', '\u041ck');

test('an EDB is read with or without prefix, in either script, in both and in any case, whatever blanks stand in it', () => {
  fc.assert(
    fc.property(thirteenDigits, prefix, fc.nat({ max: 13 }), (digits, before, place) => {
      assert.equal(parseEdb(`  ${before}${digits.slice(0, place)} \t${digits.slice(place)} `), digits);
    }),
  );
});

const notEdbs = [
  '',
  'MK',
  '403002600001',
  '40300260000188',
  'MK403002600001',
  'MKMK4030026000018',
  'HR4030026000018',
  '4030026000018MK',
  '4030-026-000018',
  '403002600001a',
  '٤٠٣٠٠٢٦٠٠٠٠١٨',
  '+4030026000018',
];

for (const text of notEdbs) {
  test(`${JSON.stringify(text)} is no EDB`, () => assert.equal(parseEdb(text), null));
}

test('the check digit is not judged', () => {
  assert.equal(parseEdb('4030026000019'), '4030026000019');
});

function party(taxNumber: string | null, country: string | null): PartyFacts {
  return { name: 'Somebody', taxNumber, country };
}

const NONE = { kind: 'none' };
const MALFORMED = { kind: 'malformed' };

test('a party without a tax number has none', () => {
  for (const country of [null, 'MK', 'DE']) {
    assert.deepEqual(partyTaxNumber(party(null, country)), NONE);
    assert.deepEqual(partyTaxNumber(party('', country)), NONE);
  }
});

test('at home, and where no country is given, it must be an EDB and is kept as thirteen digits', () => {
  for (const country of [null, 'MK']) {
    assert.deepEqual(partyTaxNumber(party('MK 403 0026000018', country)), { kind: 'edb', edb: '4030026000018' });
    assert.deepEqual(partyTaxNumber(party('DE123456789', country)), MALFORMED);
    assert.deepEqual(partyTaxNumber(party('12345', country)), MALFORMED);
  }
});

test('abroad any value of up to thirty characters is kept as written', () => {
  const texts = ['DE 123 456 789', 'x'.repeat(30), 'malformed', 'none', '4030026000018', 'MK 403 0026000018'];
  for (const number of texts) {
    assert.deepEqual(partyTaxNumber(party(number, 'XK')), { kind: 'foreign', number });
    assert.equal(listedTaxNumber(party(number, 'XK')), number);
  }
  assert.deepEqual(partyTaxNumber(party('x'.repeat(31), 'XK')), MALFORMED);
});

test('characters are counted, not their parts', () => {
  assert.equal(listedTaxNumber(party('😀'.repeat(30), 'DE')), '😀'.repeat(30));
  assert.deepEqual(partyTaxNumber(party('😀'.repeat(31), 'DE')), MALFORMED);
});

test('lists find a party by its thirteen digits or its foreign number, and by nothing else', () => {
  assert.equal(listedTaxNumber(party('МК4030026000018', 'MK')), '4030026000018');
  for (const text of [null, '', 'malformed', '12345']) assert.equal(listedTaxNumber(party(text, null)), null);
});

test('a foreign number is asked for with and without the prefix of its country, whatever the blanks and the case', () => {
  const spellings = (number: string, country: string | null) => foreignSpellings(number, country).toSorted();
  for (const number of ['DE 123 456 789', 'de123456789', '123 456 789', '123456789']) {
    assert.deepEqual(spellings(number, 'DE'), ['123456789', 'DE123456789']);
  }
  assert.deepEqual(spellings('EL 99', 'GR'), ['99', 'EL99', 'GR99']);
  assert.deepEqual(spellings('SC123456', 'GB'), ['GBSC123456', 'SC123456']);
  assert.deepEqual(spellings('DE', 'DE'), ['DE', 'DEDE']);
  assert.deepEqual(spellings('a 1', null), ['A1']);
  assert.deepEqual(spellings('a 1', 'no country at all'), ['A1']);
  assert.deepEqual(spellings('4030026000018', 'MK'), []);
});
