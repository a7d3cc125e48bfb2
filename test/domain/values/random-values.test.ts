import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../../../src/adapters/platform/platform.ts';
import { randomUuid } from '../../../src/domain/values/random-values.ts';

test('a UUID has version 4 and the variant of RFC 9562, and every other bit from the random bytes', () => {
  const of = (byte: number) => randomUuid({ bytes: (count) => new Uint8Array(count).fill(byte) });
  assert.equal(of(0x00), '00000000-0000-4000-8000-000000000000');
  assert.equal(of(0xff), 'ffffffff-ffff-4fff-bfff-ffffffffffff');
  const counted = { bytes: (count: number) => Uint8Array.from({ length: count }, (_, at) => at * 0x11) };
  assert.equal(randomUuid(counted), '00112233-4455-4677-8899-aabbccddeeff');
});

test('no UUID is made twice', () => {
  const made = new Set(Array.from({ length: 10_000 }, () => randomUuid(systemRandom)));
  assert.equal(made.size, 10_000);
});
