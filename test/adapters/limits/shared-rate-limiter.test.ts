import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimiter } from '../../../src/adapters/limits/rate-limiter.ts';
import { createSharedRateLimiter } from '../../../src/adapters/limits/shared-rate-limiter.ts';
import type { RateLimiter, SharedBuckets } from '../../../src/application/ports/access.ts';
import { drawTokens, fullBucket, type TokenBucket } from '../../../src/domain/accounts/token-bucket.ts';
import { MORNING, newEdb } from '../../engines/samples.ts';
import { fc } from '../../support/seeds.ts';

const TENANT = newEdb();
const MINUTE_MS = 60_000;

/** Processes over one set of buckets, which answer after a turn of the event loop, or fail while they are out of order. */
function replicas(count: number) {
  const rows = new Map<string, TokenBucket>();
  const state = { now: MORNING, asked: 0, isDown: false, answersAfterMs: 0, aheadMs: [] as readonly number[] };
  const buckets: SharedBuckets = {
    async draw({ keyId, callsPerMinute }, now, order) {
      state.asked += 1;
      await new Promise(setImmediate);
      state.now += state.answersAfterMs;
      if (state.isDown) throw new Error('out of order');
      const drawn = drawTokens(rows.get(keyId) ?? fullBucket(callsPerMinute, now), callsPerMinute, now, order);
      rows.set(keyId, drawn.bucket);
      return drawn;
    },
  };
  const failures: unknown[] = [];
  const limiters = Array.from({ length: count }, (_, process): RateLimiter => {
    const clock = { now: () => state.now + (state.aheadMs[process] ?? 0) };
    const fallback = createRateLimiter(clock);
    return createSharedRateLimiter({ buckets, clock, fallback, onFailure: (error) => failures.push(error) });
  });
  return {
    state,
    failures,
    take: (process: number, callsPerMinute: number, keyId = 'key') =>
      (limiters[process] ?? assert.fail()).take({ tenant: TENANT, keyId, callsPerMinute }),
    peek: (process: number, callsPerMinute: number, keyId = 'key') =>
      (limiters[process] ?? assert.fail()).peek({ tenant: TENANT, keyId, callsPerMinute }),
  };
}

function portion(callsPerMinute: number): number {
  return callsPerMinute < 120 ? 0 : Math.floor(callsPerMinute / 60);
}

/** However one cuts it, no more passed than the burst and the refill. */
function assertWithin(burst: number, callsPerMinute: number, passed: readonly number[]): void {
  for (let first = 0; first < passed.length; first += 7) {
    for (let last = first; last < passed.length; last += 11) {
      const stretchMs = (passed[last] ?? 0) - (passed[first] ?? 0);
      const most = burst + (stretchMs * callsPerMinute) / MINUTE_MS;
      assert.ok(last - first + 1 <= most + 1e-6, `${last - first + 1} calls where ${most} may pass`);
    }
  }
}

test('a small limit is exact over all processes, call by call and in a crowd', async () => {
  for (const limit of [1, 5, 60, 119]) {
    const { take } = replicas(3);
    const first = Array.from({ length: Math.ceil(limit / 2) }, (_, call) => take(call % 3, limit));
    const rest = Array.from({ length: limit + 20 }, (_, call) => take(call % 3, limit));
    const answers = await Promise.all([...first, ...rest]);
    assert.equal(answers.filter(({ allowed }) => allowed).length, limit);
  }
});

test('no call is refused while there are tokens, however much the clocks of processes differ, or one is set back', async () => {
  const ahead = fc.integer({ min: -70_000, max: 70_000 });
  const calls = fc.array(fc.record({ process: fc.nat(2), ahead }), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(calls, async (all) => {
      const { state, take } = replicas(3);
      for (const [call, { process, ahead }] of all.entries()) {
        state.aheadMs = Array.from({ length: 3 }, (_, at) => (at === process ? ahead : (state.aheadMs[at] ?? 0)));
        assert.ok((await take(process, 60)).allowed, `call ${call}`);
      }
    }),
    { numRuns: 100 },
  );
});

test('alone, a process gets exactly the limit, whatever it is, and is told the truth about what remains', async () => {
  for (const limit of [9, 130, 600, 6_000]) {
    const { take } = replicas(1);
    for (let left = limit - 1; left >= 0; left -= 1) {
      const { allowed, remaining } = await take(0, limit);
      assert.deepEqual([allowed, remaining], [true, left]);
    }
    assert.equal((await take(0, limit)).allowed, false);
  }
});

test('in any stretch of time no more calls pass than limit, refill and one portion for each process', async () => {
  const pause = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1_000, max: 30_000 }));
  const call = fc.tuple(fc.nat(2), pause, fc.integer({ min: 1, max: 40 }));
  const limits = fc.constantFrom(7, 119, 120, 600);
  await fc.assert(
    fc.asyncProperty(limits, fc.array(call, { minLength: 20, maxLength: 80 }), async (limit, calls) => {
      const { take, state } = replicas(3);
      const passed: number[] = [];
      for (const [process, ms, count] of calls) {
        state.now += ms;
        const answers = await Promise.all(Array.from({ length: count }, () => take(process, limit)));
        for (const { allowed } of answers) if (allowed) passed.push(state.now);
      }
      assertWithin(limit + 3 * portion(limit), limit, passed);
    }),
    { numRuns: 40 },
  );
});

test('who keeps within the limit is never refused, though its calls go to one process after the other', async () => {
  for (const limit of [60, 600]) {
    const { take, state } = replicas(8);
    for (let call = 0; call < 3 * limit; call += 1) {
      const { allowed } = await take(call % 8, limit);
      assert.ok(allowed, `call ${call}`);
      state.now += MINUTE_MS / limit;
    }
  }
});

test('what lies unused in a process goes back when the process next asks', async () => {
  const { take, state } = replicas(2);
  await take(0, 600);
  state.now += 60_000;
  assert.equal((await take(1, 600)).remaining, 599, 'the bucket was full again');
  state.now += 60_000;
  assert.equal((await take(0, 600)).remaining, 599, 'the old portion is not on top of it');
});

test('a busy key asks the database about once for the calls of a second', async () => {
  const { take, state } = replicas(1);
  for (let call = 0; call < 600; call += 1) await take(0, 600);
  assert.equal(state.asked, 60);
});

test('a refused key is refused without asking until there is a call again, at the second it was told', async () => {
  const { take, state } = replicas(2);
  for (let call = 0; call < 5; call += 1) await take(0, 5);
  const refused = await take(1, 5);
  assert.deepEqual([refused.allowed, refused.retryAfterSeconds, refused.remaining], [false, 12, 0]);
  const { asked } = state;
  for (let call = 0; call < 100; call += 1) assert.equal((await take(1, 5)).allowed, false);
  assert.equal(state.asked, asked);
  state.now += 11_999;
  assert.deepEqual([(await take(1, 5)).retryAfterSeconds, state.asked], [1, asked]);
  state.now += 1;
  assert.equal((await take(1, 5)).allowed, true);
});

test('while the database is out of order every process counts for itself, and hardly asks', async () => {
  const { take, state, failures } = replicas(2);
  state.isDown = true;
  for (const process of [0, 1]) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => take(process, 5)));
    assert.equal(answers.filter(({ allowed }) => allowed).length, 5);
  }
  assert.equal(failures.length, 2);
  state.now += 1_000;
  state.isDown = false;
  for (let call = 0; call < 5; call += 1) assert.ok((await take(call % 2, 5)).allowed, 'the shared bucket was full');
  assert.equal((await take(0, 5)).allowed, false);
});

test('a database that takes its time, or fails only after a long time, holds a call up once', async () => {
  const { take, state } = replicas(1);
  state.answersAfterMs = 15_000;
  const answers = await Promise.all(Array.from({ length: 20 }, () => take(0, 600)));
  assert.ok(answers.every(({ allowed }) => allowed));
  assert.equal(state.asked, 1);
  state.now += 1_000;
  state.isDown = true;
  assert.ok((await take(0, 600)).allowed);
  assert.equal(state.asked, 2);
});

test('a clock that is put back locks nobody out', async () => {
  const { take, state } = replicas(2);
  for (let call = 0; call < 600; call += 1) await take(0, 600);
  assert.equal((await take(0, 600)).allowed, false);
  state.now -= 3_600_000;
  assert.equal((await take(0, 600)).allowed, false);
  state.now += 2_000;
  for (const process of [0, 1]) assert.ok((await take(process, 600)).allowed);
});

test('a key that was used up by a clock ahead of ours is refused after one draw, and is told a minute at most', async () => {
  const { state, take } = replicas(2);
  for (const aheadMs of [54_001, 59_999, 60_000, 60_001]) {
    state.aheadMs = [0, aheadMs];
    for (let call = 0; call < 10; call += 1) assert.ok((await take(1, 10, `key ${aheadMs}`)).allowed);
    const { asked } = state;
    const { allowed, retryAfterSeconds } = await take(0, 10, `key ${aheadMs}`);
    assert.deepEqual([allowed, state.asked - asked], [false, 1], `ahead by ${aheadMs} ms`);
    assert.ok(retryAfterSeconds >= 6 && retryAfterSeconds <= 60, `told to wait ${retryAfterSeconds} s`);
  }
});

test('however many keys come and go, a key that is used up stays so', async () => {
  const { take, state } = replicas(1);
  for (let call = 0; call < 3; call += 1) await take(0, 3, 'used up');
  state.now += 1_000;
  for (let key = 0; key < 10_050; key += 1) await take(0, 3, `key ${key}`);
  assert.equal((await take(0, 3, 'used up')).allowed, false);
});

test('to look at what is left takes nothing, in the process that took the calls and in others', async () => {
  for (const limit of [5, 600]) {
    const { take, peek } = replicas(2);
    assert.equal((await peek(0, limit)).remaining, limit);
    const { remaining } = await take(0, limit);
    for (let look = 0; look < 5; look += 1) assert.equal((await peek(0, limit)).remaining, remaining);
    assert.ok((await peek(1, limit)).remaining <= remaining);
    assert.equal((await take(0, limit)).remaining, remaining - 1);
  }
});

test('to look at what is left asks the database about once a second, however often one looks', async () => {
  const { take, peek, state } = replicas(2);
  await Promise.all(Array.from({ length: 50 }, () => peek(0, 600)));
  for (let look = 0; look < 50; look += 1) assert.equal((await peek(0, 600)).remaining, 600);
  assert.equal(state.asked, 1);
  for (let call = 0; call < 40; call += 1) await take(1, 600);
  const { asked } = state;
  state.now += 1_000;
  for (let look = 0; look < 50; look += 1) assert.ok((await peek(0, 600)).remaining <= 570, 'what others took');
  assert.equal(state.asked, asked + 1);
  assert.ok((await take(0, 600)).allowed);
});

test('to look at what is left works while the shared buckets are out of order', async () => {
  const { state, failures, peek } = replicas(1);
  state.isDown = true;
  assert.equal((await peek(0, 5)).remaining, 5);
  assert.equal((await peek(0, 5)).remaining, 5);
  assert.deepEqual([state.asked, failures.length], [1, 1]);
});
