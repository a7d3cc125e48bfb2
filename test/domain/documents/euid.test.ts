import assert from 'node:assert/strict';
import { test } from 'node:test';
import { euidTime } from '../../../src/domain/documents/euid.ts';

test('an EUID of version 7 begins with the time, which RFC 3339 can write; others have none', () => {
  const timeOf = (digits: string, version = '7') =>
    euidTime(`${digits.slice(0, 8)}-${digits.slice(8)}-${version}440-b358-08891b53605c`);
  assert.equal(timeOf('019b8d437840'), Date.parse('2026-01-05T08:26:07.808Z'));
  assert.equal(timeOf('019b8d437840', '4'), null);
  const last = Date.parse('9999-12-31T23:59:59.999Z');
  assert.equal(timeOf(last.toString(16).padStart(12, '0')), last);
  assert.equal(timeOf((last + 1).toString(16).padStart(12, '0')), null);
  assert.equal(timeOf('ffffffffffff'), null);
});
