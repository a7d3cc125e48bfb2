import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Allowance, fullBucket, type TokenBucket, takeToken } from '../../../src/domain/accounts/token-bucket.ts';
import { fc } from '../../support/seeds.ts';

const MINUTE_MS = 60_000;
const START = 1_700_000_000_000;
const limit = fc.integer({ min: 1, max: 1_000 });
/** Pauses between calls: none, some milliseconds, whole seconds. */
const pause = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 5_000 }),
  fc.integer({ min: 1, max: 30 }).map((seconds) => seconds * 1_000),
);

type Call = Allowance & { readonly at: number; readonly bucket: TokenBucket };

function play(callsPerMinute: number, pauses: readonly number[]): readonly Call[] {
  let bucket = fullBucket(callsPerMinute, START);
  let at = START;
  return pauses.map((ms) => {
    at += ms;
    const taken = takeToken(bucket, callsPerMinute, at);
    bucket = taken.bucket;
    return { ...taken.allowance, at, bucket };
  });
}

test('a burst gets as many calls as the limit says, and not one more', () => {
  fc.assert(
    fc.property(limit, (callsPerMinute) => {
      const calls = play(callsPerMinute, new Array(callsPerMinute + 5).fill(0));
      assert.equal(calls.filter(({ allowed }) => allowed).length, callsPerMinute);
      assert.ok(calls.slice(0, callsPerMinute).every(({ allowed }) => allowed));
    }),
  );
});

test('in any stretch of time no more calls pass than a full bucket and its refill', () => {
  fc.assert(
    fc.property(limit, fc.array(pause, { minLength: 50, maxLength: 300 }), (callsPerMinute, pauses) => {
      const passed = play(callsPerMinute, pauses).filter(({ allowed }) => allowed);
      for (const [index, first] of passed.entries()) {
        const last = passed[Math.min(passed.length - 1, index + 40)] ?? first;
        const count = Math.min(passed.length - 1, index + 40) - index + 1;
        const most = callsPerMinute + ((last.at - first.at) * callsPerMinute) / MINUTE_MS;
        assert.ok(count <= most + 1e-6, `${count} calls where ${most} are allowed`);
      }
    }),
  );
});

test('who calls without end gets, in the long run, exactly the rate', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), (callsPerMinute) => {
      const pauses = new Array(10 * 60 * 4).fill(250);
      const passed = play(callsPerMinute, pauses).filter(({ allowed }) => allowed).length;
      assert.ok(Math.abs(passed - 11 * callsPerMinute) <= 1, `${passed} of ${11 * callsPerMinute}`);
    }),
    { numRuns: 30 },
  );
});

test('a key that is used within its rate is never refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), (callsPerMinute) => {
      const calls = play(callsPerMinute, new Array(500).fill(Math.ceil(MINUTE_MS / callsPerMinute)));
      assert.ok(calls.every(({ allowed }) => allowed));
    }),
    { numRuns: 50 },
  );
});

test('a refused call says in whole seconds, at least one, when it will pass; then it passes', () => {
  fc.assert(
    fc.property(limit, fc.array(pause, { maxLength: 100 }), (callsPerMinute, pauses) => {
      for (const call of play(callsPerMinute, [...new Array(callsPerMinute).fill(0), ...pauses])) {
        if (call.allowed) assert.equal(call.retryAfterSeconds, 0);
        else {
          assert.ok(Number.isInteger(call.retryAfterSeconds) && call.retryAfterSeconds >= 1);
          const later = takeToken(call.bucket, callsPerMinute, call.at + call.retryAfterSeconds * 1_000);
          assert.ok(later.allowance.allowed);
        }
      }
    }),
    // Thirds and quarters of a token add up to a little less than one if they are added as floating-point numbers.
    { examples: [[4, [10_000, 8_000, 1_000]]] },
  );
});

test('Retry-After asks for no more than a second too much', () => {
  fc.assert(
    fc.property(limit, fc.array(pause, { maxLength: 50 }), (callsPerMinute, pauses) => {
      for (const call of play(callsPerMinute, [...new Array(callsPerMinute).fill(0), ...pauses])) {
        if (call.allowed || call.retryAfterSeconds === 1) continue;
        const muchEarlier = call.at + (call.retryAfterSeconds - 1) * 1_000 - 1;
        assert.equal(takeToken(call.bucket, callsPerMinute, muchEarlier).allowance.allowed, false);
      }
    }),
  );
});

test('what is said to remain can be used at once, and no more', () => {
  fc.assert(
    fc.property(limit, fc.array(pause, { minLength: 1, maxLength: 60 }), (callsPerMinute, pauses) => {
      const call = play(callsPerMinute, pauses).at(-1) ?? assert.fail();
      let { bucket } = call;
      let passed = 0;
      for (let extra = 0; extra <= call.remaining; extra += 1) {
        const taken = takeToken(bucket, callsPerMinute, call.at);
        bucket = taken.bucket;
        if (taken.allowance.allowed) passed += 1;
      }
      assert.equal(passed, call.remaining);
    }),
  );
});

test('after the seconds said the bucket is full again, and never fuller', () => {
  fc.assert(
    fc.property(limit, fc.array(pause, { minLength: 1, maxLength: 60 }), fc.nat(), (callsPerMinute, pauses, more) => {
      const call = play(callsPerMinute, pauses).at(-1) ?? assert.fail();
      assert.ok(call.resetSeconds >= 0 && call.resetSeconds <= 60);
      const later = takeToken(call.bucket, callsPerMinute, call.at + call.resetSeconds * 1_000 + more).allowance;
      assert.equal(later.remaining, callsPerMinute - 1);
    }),
  );
});

test('a limit that was lowered counts at once', () => {
  const generous = fullBucket(600, START);
  assert.equal(takeToken(generous, 5, START).allowance.remaining, 4);
});

test('a clock that steps back gives nothing away', () => {
  let { bucket } = takeToken(fullBucket(5, START), 5, START);
  for (let call = 0; call < 4; call += 1) ({ bucket } = takeToken(bucket, 5, START - 3_600_000));
  assert.equal(takeToken(bucket, 5, START - 3_600_000).allowance.allowed, false);
});

test('a clock that steps back locks nobody out: Retry-After stays true', () => {
  fc.assert(
    fc.property(limit, fc.integer({ min: 1, max: 86_400_000 }), (callsPerMinute, back) => {
      const used = play(callsPerMinute, new Array(callsPerMinute).fill(0)).at(-1) ?? assert.fail();
      const refused = takeToken(used.bucket, callsPerMinute, START - back);
      assert.equal(refused.allowance.allowed, false);
      const later = START - back + refused.allowance.retryAfterSeconds * 1_000;
      assert.ok(takeToken(refused.bucket, callsPerMinute, later).allowance.allowed);
    }),
  );
});
