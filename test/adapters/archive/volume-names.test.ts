import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isVolumeName,
  volumeName,
  volumeNumber,
  volumesAmong,
  withMissingNumbers,
} from '../../../src/adapters/archive/volume-names.ts';

test('finished volumes of one side are found among other names, in the order of their numbers', () => {
  const names = ['outbound-10000', 'outbound-9999', 'inbound-0001', 'outbound-0002.part', 'outbound-', 'x-outbound-1'];
  assert.deepEqual(volumesAmong(names, 'outbound'), ['outbound-9999', 'outbound-10000']);
  assert.deepEqual(volumesAmong(names, 'inbound'), ['inbound-0001']);
  assert.deepEqual(names.filter(isVolumeName), ['outbound-10000', 'outbound-9999', 'inbound-0001']);
});

test('the number of a volume is read from the name that was made of it', () => {
  for (const number of [1, 42, 9_999, 10_000]) {
    assert.equal(volumeNumber('inbound', volumeName('inbound', number)), number);
    assert.equal(volumeNumber('outbound', volumeName('inbound', number)), null);
  }
});

test('a gap in the numbers is noticed, and a whole month has none', () => {
  const whole = ['a/2026-11/outbound-0001', 'a/2026-11/outbound-0002', 'a/2026-11/inbound-0001'];
  assert.deepEqual(withMissingNumbers(whole), whole);
  const gaps = ['a/2026-11/outbound-0002', 'a/2026-12/outbound-10000'];
  assert.deepEqual(withMissingNumbers(gaps), [...gaps, 'a/2026-11/outbound-0001', 'a/2026-12/outbound-9999']);
});
