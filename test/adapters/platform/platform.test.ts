import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { systemClock, systemHasher, systemRandom } from '../../../src/adapters/platform/platform.ts';

test('chance gives as many bytes as are asked for', () => {
  for (const count of [0, 1, 8, 10, 4_095, 4_096, 4_097, 10_000]) assert.equal(systemRandom.bytes(count).length, count);
});

test('no random bytes are given twice, and earlier ones do not change', () => {
  const drawn = Array.from({ length: 2_000 }, () => systemRandom.bytes(10));
  const texts = drawn.map((bytes) => Buffer.from(bytes).toString('hex'));
  assert.equal(new Set(texts).size, drawn.length);
  systemRandom.bytes(4_096);
  assert.deepEqual(
    drawn.map((bytes) => Buffer.from(bytes).toString('hex')),
    texts,
  );
});

test('every value of a byte occurs', () => {
  const seen = new Set<number>();
  for (let draw = 0; draw < 1_000; draw += 1) for (const byte of systemRandom.bytes(10)) seen.add(byte);
  assert.equal(seen.size, 256);
});

test('the clock tells whole milliseconds since 1970', () => {
  const before = Date.now();
  const now = systemClock.now();
  assert.ok(Number.isInteger(now) && now >= before && now <= Date.now());
});

test('content is hashed by SHA-256, text as UTF-8', () => {
  const expected = createHash('sha256').update('фактура').digest('hex');
  assert.equal(Buffer.from(systemHasher.sha256('фактура')).toString('hex'), expected);
  assert.equal(Buffer.from(systemHasher.sha256(new TextEncoder().encode('фактура'))).toString('hex'), expected);
});
