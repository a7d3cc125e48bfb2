import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { createCallerAddress, readAddress } from '../../src/http/requests/caller-address.ts';

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

test('the caller is the last address that is not a trusted proxy; what is no address is never one', () => {
  const warnings: number[] = [];
  const callerAddress = createCallerAddress({
    timers: systemTimers,
    isTrustedProxy: (address) => address.startsWith('10.'),
    onUnreadable: (count) => warnings.push(count),
  });
  const from = (remote: string, forwarded?: string) => callerAddress(request(remote, forwarded));
  assert.deepEqual(from('192.0.2.1', '198.51.100.1'), { address: '192.0.2.1', isKnown: true });
  assert.deepEqual(from('10.0.0.1'), { address: '10.0.0.1', isKnown: true });
  assert.deepEqual(from('10.0.0.1', ' , '), { address: '10.0.0.1', isKnown: true });
  assert.deepEqual(from('10.0.0.1', 'x, 192.0.2.1:80, 10.0.0.2:443'), { address: '192.0.2.1', isKnown: true });
  assert.deepEqual(from('10.0.0.1', '10.0.0.3, 10.0.0.2'), { address: '10.0.0.3', isKnown: true });
  assert.deepEqual(warnings, []);
  for (let call = 0; call < 50; call += 1) {
    assert.deepEqual(from('10.0.0.1', '192.0.2.1, <x>'), { address: '10.0.0.1', isKnown: false });
  }
  assert.deepEqual(warnings, [1], 'one warning, however many calls');
});

test('an address may come with a port; nothing else is one', () => {
  for (const [text, address] of [
    ['192.0.2.1:5555', '192.0.2.1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ] as const) {
    assert.equal(readAddress(text), address);
  }
  for (const text of [
    'unknown',
    '192.0.2.1:',
    '192.0.2.1:123456',
    '192.0.2.1:80:80',
    '[x]:1',
    'fe80::1%eth0',
    'a'.repeat(9_000),
  ]) {
    assert.equal(readAddress(text), null, text.slice(0, 20));
  }
});
