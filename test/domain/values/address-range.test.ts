import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import { familyOf, parseAddressRange } from '../../../src/domain/values/address-range.ts';
import { fc } from '../../support/seeds.ts';

const VALID = [
  '192.0.2.1',
  '10.0.0.0/8',
  '0.0.0.0/0',
  '192.0.2.1/32',
  '::1',
  '2001:db8::/32',
  '::/0',
  '2001:db8::1/128',
  '::ffff:10.0.0.1',
  '::ffff:10.0.0.0/8',
  '::ffff:127.0.0.0/104',
  '::ffff:0:0/96',
];

const INVALID = [
  '',
  ' ',
  '/8',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/1e1',
  '10.0.0.0/8/8',
  '10.0.0.0/ 8',
  ' 10.0.0.1',
  '10.0.0.1 ',
  '10.0.0',
  '10.0.0.256',
  '010.0.0.1',
  '10.0.0.1,10.0.0.2',
  '10.0.0.1-10.0.0.9',
  '10.0.0.*',
  '::/129',
  ':::1',
  'fe80::1%eth0',
  'fe80::1%eth0/64',
  '::ffff:10.0.0.1/64',
  '::ffff:10.0.0.1/129',
  'localhost',
  '*',
  'any',
];

test('addresses and CIDR ranges of both families are ranges', () => {
  for (const text of VALID) assert.notEqual(parseAddressRange(text), null, text);
  assert.deepEqual(parseAddressRange('::ffff:10.0.0.1'), { address: '10.0.0.1', family: 'ipv4', prefix: 32 });
  assert.deepEqual(parseAddressRange('2001:db8::/32'), { address: '2001:db8::', family: 'ipv6', prefix: 32 });
});

test('a range of IPv4 that is written as IPv6 is the range of IPv4', () => {
  const rows: readonly (readonly [string, string, number])[] = [
    ['::ffff:127.0.0.0/104', '127.0.0.0', 8],
    ['::FFFF:7f00:0/104', '127.0.0.0', 8],
    ['0:0:0:0:0:ffff:c0a8:101', '192.168.1.1', 32],
    ['::ffff:0:0/96', '0.0.0.0', 0],
    ['::ffff:10.0.0.0/8', '10.0.0.0', 8],
  ];
  for (const [text, address, prefix] of rows) {
    assert.deepEqual(parseAddressRange(text), { address, family: 'ipv4', prefix }, text);
  }
  for (const text of ['::fffe:0:0/96', '::ffff:0:0/95', '1::ffff:0:0/96', '::7f00:0/104']) {
    assert.equal(parseAddressRange(text)?.family, 'ipv6', text);
  }
});

test('nothing else is a range', () => {
  for (const text of INVALID) assert.equal(parseAddressRange(text), null, JSON.stringify(text));
});

test('an address is what Node takes for one, but for zones', () => {
  const octet = fc.oneof(fc.integer({ min: 0, max: 260 }).map(String), fc.constantFrom('', '00', '01', '1e1', ' 1'));
  const v4 = fc.array(octet, { minLength: 3, maxLength: 5 }).map((octets) => octets.join('.'));
  const group = fc.oneof(fc.stringMatching(/^[0-9a-fA-F]{0,5}$/u), fc.constantFrom('', '0', '::', 'g'));
  const v6 = fc
    .tuple(fc.array(group, { maxLength: 9 }), fc.option(fc.ipV4()))
    .map(([groups, last]) => [...groups, ...(last === null ? [] : [last])].join(':'));
  const families = { 0: null, 4: 'ipv4', 6: 'ipv6' } as const;
  const any = fc.oneof(fc.ipV4(), fc.ipV6(), v4, v6, fc.string());
  fc.assert(
    fc.property(any, (text) => {
      const family = text.includes('%') ? null : families[isIP(text) as 0 | 4 | 6];
      assert.equal(familyOf(text), family, JSON.stringify(text));
    }),
    { numRuns: 5_000 },
  );
});
