import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAddressList } from '../../../src/adapters/credentials/address-list.ts';
import { plainAddress } from '../../../src/domain/values/address-range.ts';
import { fc } from '../../support/seeds.ts';

const addresses = createAddressList();

describe('an address is on a list', () => {
  const cases: readonly (readonly [list: readonly string[], address: string, included: boolean])[] = [
    [['192.0.2.1'], '192.0.2.1', true],
    [['192.0.2.1'], '192.0.2.2', false],
    [['192.0.2.1/32'], '192.0.2.1', true],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['10.1.2.3/8'], '10.9.9.9', true],
    [['192.0.2.128/25'], '192.0.2.127', false],
    [['192.0.2.128/25'], '192.0.2.128', true],
    [['0.0.0.0/0'], '203.0.113.9', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['2001:db8::1'], '2001:db8::1', true],
    [['2001:db8::1'], '2001:0DB8:0:0:0:0:0:1', true],
    [['2001:db8::/32'], '2001:db8:ffff::', true],
    [['2001:db8::/32'], '2001:db9::', false],
    [['::1'], '::1', true],
    [['::1'], '127.0.0.1', false],
    [['::/0'], '2001:db8::1', true],
    [['192.0.2.1', '2001:db8::/32', '198.51.100.0/24'], '198.51.100.77', true],
    [[], '192.0.2.1', false],
  ];
  for (const [list, address, included] of cases) {
    test(`${address} ${included ? 'is' : 'is not'} on [${list.join(', ')}]`, () =>
      assert.equal(addresses.includes(list, address), included));
  }
});

test('an IPv4 caller on a dual-stack socket is an IPv4 caller, however the address is written', () => {
  for (const written of ['::ffff:192.0.2.1', '::FFFF:192.0.2.1', '::ffff:c000:201', '0:0:0:0:0:ffff:192.0.2.1']) {
    assert.equal(addresses.includes(['192.0.2.0/24'], written), true, written);
    assert.equal(addresses.includes(['198.51.100.0/24'], written), false, written);
  }
  assert.equal(addresses.includes(['::ffff:192.0.2.1'], '192.0.2.1'), true);
  assert.equal(plainAddress('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(plainAddress('2001:db8::1'), '2001:db8::1');
});

test('what is no address is on no list, and never an error', () => {
  for (const address of [
    '',
    'localhost',
    '192.0.2.1:443',
    '192.0.2',
    'fe80::1%eth0',
    '192.0.2.1/24',
    '::ffff:999.0.2.1',
  ]) {
    assert.equal(addresses.includes(['0.0.0.0/0'], address), false, address);
  }
  fc.assert(fc.property(fc.string(), (text) => assert.equal(addresses.includes(['192.0.2.1'], text), false)));
});

test('an entry that cannot be read lets nobody in', () => {
  assert.equal(addresses.includes(['junk', '10.0.0.0/99'], '10.0.0.1'), false);
  assert.equal(addresses.includes(['junk', '10.0.0.1'], '10.0.0.1'), true);
});

test('an address is on a list exactly when it shares the prefix', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const ipv4 = fc.tuple(octet, octet, octet, octet);
  const bits = (parts: readonly number[]) => parts.map((part) => part.toString(2).padStart(8, '0')).join('');
  fc.assert(
    fc.property(ipv4, ipv4, fc.integer({ min: 0, max: 32 }), fc.boolean(), (one, two, prefix, isNear) => {
      const other = isNear ? [...one.slice(0, 3), two[3]] : two;
      const shares = bits(one).slice(0, prefix) === bits(other).slice(0, prefix);
      assert.equal(addresses.includes([`${one.join('.')}/${prefix}`], other.join('.')), shares);
    }),
  );
});
