import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimiter } from '../../../src/adapters/limits/rate-limiter.ts';
import { MORNING, newEdb } from '../../engines/samples.ts';

const TENANT = newEdb();

function limiterAt(start: number) {
  let now = start;
  const limiter = createRateLimiter({ now: () => now });
  return {
    take: (keyId: string, callsPerMinute: number) => limiter.take({ tenant: TENANT, keyId, callsPerMinute }),
    peek: (keyId: string, callsPerMinute: number) => limiter.peek({ tenant: TENANT, keyId, callsPerMinute }),
    advance: (ms: number) => {
      now += ms;
    },
  };
}

test('each key has a bucket of its own', async () => {
  const { take } = limiterAt(MORNING);
  for (let call = 0; call < 5; call += 1) assert.equal((await take('one', 5)).allowed, true);
  assert.equal((await take('one', 5)).allowed, false);
  assert.equal((await take('two', 5)).allowed, true);
});

test('calls at the same moment do not share a token', async () => {
  const { take } = limiterAt(MORNING);
  const calls = await Promise.all(Array.from({ length: 50 }, () => take('one', 20)));
  assert.equal(calls.filter(({ allowed }) => allowed).length, 20);
});

test('what is refused passes after the seconds it was told', async () => {
  const { take, advance } = limiterAt(MORNING);
  for (let call = 0; call < 5; call += 1) await take('one', 5);
  const refused = await take('one', 5);
  assert.deepEqual([refused.allowed, refused.retryAfterSeconds, refused.remaining], [false, 12, 0]);
  advance(refused.retryAfterSeconds * 1_000);
  assert.equal((await take('one', 5)).allowed, true);
  assert.equal((await take('one', 5)).allowed, false);
});

test('after a minute without calls the whole limit is there again, and no more', async () => {
  const { take, advance } = limiterAt(MORNING);
  for (let call = 0; call < 5; call += 1) await take('one', 5);
  advance(3_600_000);
  const calls = await Promise.all(Array.from({ length: 8 }, () => take('one', 5)));
  assert.equal(calls.filter(({ allowed }) => allowed).length, 5);
});

test('a changed limit counts from the next call', async () => {
  const { take } = limiterAt(MORNING);
  await take('one', 600);
  assert.equal((await take('one', 2)).remaining, 1);
});

test('a key that is used up stays so, however many other keys come and go', async () => {
  const { take, advance } = limiterAt(MORNING);
  for (let call = 0; call < 3; call += 1) await take('used up', 3);
  for (let key = 0; key < 12_000; key += 1) await take(`key ${key}`, 3);
  advance(1_000);
  await take('one more', 3);
  assert.equal((await take('used up', 3)).allowed, false);
  // A minute later the buckets of all the others are full and may be forgotten; the limit still holds.
  advance(61_000);
  const calls = await Promise.all(Array.from({ length: 5 }, () => take('used up', 3)));
  assert.equal(calls.filter(({ allowed }) => allowed).length, 3);
});

test('to look at what is left takes nothing', async () => {
  const { take, peek, advance } = limiterAt(MORNING);
  for (let look = 0; look < 10; look += 1) assert.equal((await peek('one', 5)).remaining, 5);
  for (let left = 4; left >= 0; left -= 1) {
    await take('one', 5);
    assert.equal((await peek('one', 5)).remaining, left);
  }
  advance(12_000);
  assert.deepEqual(await peek('one', 5), { allowed: true, remaining: 1, retryAfterSeconds: 0, resetSeconds: 48 });
});
