import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseEdb } from '../../../src/domain/accounts/edb.ts';
import { partyTaxNumber } from '../../../src/domain/accounts/tax-number.ts';
import type { PartyFacts } from '../../../src/domain/documents/invoice-facts.ts';

const thirteenDigits = fc.stringMatching(/^[0-9]{13}$/);
const prefix = fc.constantFrom('', 'MK', 'mk', 'Mk', 'МК', 'мк', 'MK ', 'МК\u00a0');

test('an EDB is read with or without prefix, in either script and case, whatever blanks stand in it', () => {
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

test('a party without a tax number has none', () => {
  for (const country of [null, 'MK', 'DE']) {
    assert.equal(partyTaxNumber(party(null, country)), null);
    assert.equal(partyTaxNumber(party('', country)), null);
  }
});

test('at home, and where no country is given, it must be an EDB and is kept as thirteen digits', () => {
  for (const country of [null, 'MK']) {
    assert.equal(partyTaxNumber(party('MK 403 0026000018', country)), '4030026000018');
    assert.equal(partyTaxNumber(party('DE123456789', country)), 'malformed');
    assert.equal(partyTaxNumber(party('12345', country)), 'malformed');
  }
});

test('abroad any value of up to thirty characters is kept as written', () => {
  assert.equal(partyTaxNumber(party('DE 123 456 789', 'DE')), 'DE 123 456 789');
  assert.equal(partyTaxNumber(party('x'.repeat(30), 'XK')), 'x'.repeat(30));
  assert.equal(partyTaxNumber(party('x'.repeat(31), 'XK')), 'malformed');
});

test('characters are counted, not their parts', () => {
  assert.equal(partyTaxNumber(party('😀'.repeat(30), 'DE')), '😀'.repeat(30));
  assert.equal(partyTaxNumber(party('😀'.repeat(31), 'DE')), 'malformed');
});
