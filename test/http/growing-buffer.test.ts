import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGrowingBuffer } from '../../src/http/requests/growing-buffer.ts';

test('the bytes are those that were added, whatever length was expected and however they came', () => {
  for (const most of [10_485_760, 300_000]) {
    const buffer = createGrowingBuffer(most, () => undefined);
    for (let value = 0; value < 300_000; value += 100) buffer.add(new Uint8Array(100).fill(value / 100));
    const bytes = buffer.bytes();
    assert.equal(bytes.length, 300_000);
    assert.equal(bytes.buffer.byteLength, 300_000, 'no memory beyond the bytes is handed on');
    assert.ok(bytes.every((byte, index) => byte === Math.floor(index / 100) % 256));
  }
});

test('an announced size takes no memory before the bytes come', () => {
  const buffer = createGrowingBuffer(10_000_000_000_000, () => undefined);
  buffer.add(new Uint8Array([1, 2, 3]));
  assert.deepEqual([...buffer.bytes()], [1, 2, 3]);
});

test('nothing is nothing', () => {
  assert.equal(createGrowingBuffer(0, () => undefined).bytes().length, 0);
});

test('the memory that it holds is told before it is taken, and is never more than the greatest length', () => {
  const most = 10_485_760;
  const held: number[] = [];
  const chunk = new Uint8Array(65_000);
  const before = process.memoryUsage().arrayBuffers;
  const buffer = createGrowingBuffer(most, (bytes) => held.push(bytes));
  for (let arrived = chunk.length; arrived <= most; arrived += chunk.length) {
    buffer.add(chunk);
    const told = held.at(-1) ?? 0;
    assert.ok(told >= arrived && told <= most, `${told} bytes for ${arrived}`);
    // A megabyte for what the test itself needs; what was held before would be two at least from here on.
    const taken = process.memoryUsage().arrayBuffers - before;
    assert.ok(told < 4_000_000 || taken <= told + 1_000_000, `${taken} bytes: what it held before is not free`);
  }
  assert.equal(held.at(-1), most);
  const { length } = buffer.bytes();
  assert.deepEqual([length, held.at(-1)], [buffer.length(), buffer.length()]);
  const small = createGrowingBuffer(most, (bytes) => held.push(bytes));
  small.add(new Uint8Array(9));
  assert.equal(held.at(-1), 65_536);
  small.bytes();
  assert.equal(held.at(-1), 9);
});

test('nothing is taken that is not allowed', () => {
  const buffer = createGrowingBuffer(1_000_000, (bytes) => {
    if (bytes > 65_536) throw new Error('no memory');
  });
  buffer.add(new Uint8Array(65_536).fill(7));
  assert.throws(() => buffer.add(new Uint8Array(1)), /no memory/u);
  assert.equal(buffer.length(), 65_536);
});
