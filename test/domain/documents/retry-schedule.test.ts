import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endlessRetryPauseMs, lookUpPauseMs, retryPauseMs } from '../../../src/domain/documents/retry-schedule.ts';
import { fc } from '../../support/seeds.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** As documented for integrators. */
const PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE].concat(
  [1, 2, 4, 8, 12, 24].map((hours) => hours * HOUR),
);
const random = fc.double({ min: 0, max: 1, noNaN: true });

test('there are eleven pauses, as documented, a little over two days together', () => {
  const middles = PAUSES.map((_, index) => retryPauseMs(index + 1, 0.5));
  assert.deepEqual(middles, PAUSES);
  const sum = PAUSES.reduce((total, pause) => total + pause, 0);
  assert.ok(sum > 2 * DAY && sum < 2.25 * DAY);
  assert.equal(retryPauseMs(PAUSES.length + 1, 0.5), null);
});

test('chance moves a pause by at most a fifth, and a later pause is never the shorter one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: PAUSES.length }), random, random, (failures, one, other) => {
      const pause = retryPauseMs(failures, one) ?? assert.fail();
      const middle = PAUSES[failures - 1] ?? assert.fail();
      assert.ok(Math.abs(pause - middle) <= middle / 5 && Number.isInteger(pause));
      const next = retryPauseMs(failures + 1, other);
      assert.ok(next === null || next >= pause);
    }),
  );
});

test('what is asked for without end has the same pauses, and then the last of them again and again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), random, (failures, chance) => {
      const pause = retryPauseMs(Math.min(failures, PAUSES.length), chance);
      assert.equal(endlessRetryPauseMs(failures, chance), pause);
    }),
  );
});

test('a lost answer is looked for soon, then ever less often, at least every ten minutes and without end', () => {
  assert.equal(lookUpPauseMs(0), 2 * SECOND);
  fc.assert(
    fc.property(fc.nat(30 * DAY), fc.nat(30 * DAY), (one, other) => {
      const [sooner, later] = [Math.min(one, other), Math.max(one, other)];
      assert.ok(lookUpPauseMs(sooner) <= lookUpPauseMs(later));
      assert.ok(lookUpPauseMs(later) >= 2 * SECOND && lookUpPauseMs(later) <= 10 * MINUTE);
    }),
  );
  let looks = 0;
  for (let since = 0; since < DAY; since += lookUpPauseMs(since)) looks += 1;
  assert.ok(looks < 200, `${looks} looks in a day`);
});

test('a clock that steps back, and differs from another one, does not make anybody look in haste', () => {
  assert.equal(lookUpPauseMs(-SECOND), 2 * SECOND);
  assert.equal(lookUpPauseMs(-HOUR), lookUpPauseMs(HOUR));
});
