import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressGroup } from '../../src/http/connections/connection-limits.ts';

test('IPv4 addresses count one by one, also as a dual-stack socket writes them', () => {
  assert.equal(addressGroup('192.0.2.7'), '192.0.2.7');
  assert.equal(addressGroup('::ffff:192.0.2.7'), '::ffff:192.0.2.7');
});

test('IPv6 addresses count by their network of 64 bits, however they are shortened', () => {
  const network = '2001:db8:0:7';
  for (const address of ['2001:db8:0:7::1', '2001:db8:0:7:aaaa:bbbb:cccc:dddd', '2001:db8:0:7:8::']) {
    assert.equal(addressGroup(address), network);
  }
  assert.equal(addressGroup('2001:db8::1'), '2001:db8:0:0');
  assert.equal(addressGroup('::1'), '0:0:0:0');
  assert.notEqual(addressGroup('2001:db8:0:8::1'), network);
});
