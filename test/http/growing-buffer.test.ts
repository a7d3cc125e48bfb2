import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGrowingBuffer } from '../../src/http/requests/growing-buffer.ts';

test('the bytes are those that were added, whatever was announced and however they came', () => {
  for (const announced of [null, 300_000]) {
    const buffer = createGrowingBuffer(announced);
    for (let value = 0; value < 300_000; value += 100) buffer.add(new Uint8Array(100).fill(value / 100));
    const bytes = buffer.bytes();
    assert.equal(bytes.length, 300_000);
    assert.equal(bytes.buffer.byteLength, 300_000, 'no memory beyond the bytes is handed on');
    assert.ok(bytes.every((byte, index) => byte === Math.floor(index / 100) % 256));
  }
});

test('an announced size takes no memory before the bytes come', () => {
  const buffer = createGrowingBuffer(10_000_000_000_000);
  buffer.add(new Uint8Array([1, 2, 3]));
  assert.deepEqual([...buffer.bytes()], [1, 2, 3]);
});

test('nothing is nothing', () => {
  assert.equal(createGrowingBuffer(0).bytes().length, 0);
});
