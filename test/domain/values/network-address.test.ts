import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseAddressRange } from '../../../src/domain/values/address-range.ts';
import { saysTooMuch, wholeRange } from '../../../src/domain/values/network-address.ts';

describe('the range that an address and a prefix mean', () => {
  for (const [text, whole] of [
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.0.0.0/0', '0.0.0.0/0'],
    ['192.0.2.255/25', '192.0.2.128/25'],
    ['255.255.255.255/1', '128.0.0.0/1'],
    ['2001:db8::1/32', '2001:db8::/32'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::1/0', '::/0'],
    ['fe80::1.2.3.4/112', 'fe80:0:0:0:0:0:102::/112'],
  ] as const) {
    test(`${text} is ${whole}`, () => {
      const range = parseAddressRange(text) ?? assert.fail();
      assert.equal(wholeRange(range), whole);
      assert.ok(saysTooMuch(range));
      assert.equal(saysTooMuch(parseAddressRange(whole) ?? assert.fail()), false);
    });
  }

  for (const text of [
    '10.0.0.0/8',
    '0.0.0.0/0',
    '192.0.2.1',
    '::/0',
    '::1',
    '2001:db8::/32',
    '1:2:3:4:5:6:7:8',
    '::ffff:10.0.0.1',
  ]) {
    test(`${text} says what it means`, () => {
      assert.equal(saysTooMuch(parseAddressRange(text) ?? assert.fail()), false);
    });
  }
});
