import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAbsences, isWordBelieved } from '../../../src/application/delivery/lost-answers/absences.ts';
import { clockAt } from '../../support/test-clock.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const BEGIN = Date.UTC(2026, 10, 16, 8);

/** Requests that were made at `BEGIN`, by an authority whose clock is ahead by so much. */
function waiting(outcomeWindowMs = 330 * SECOND) {
  const clock = clockAt(BEGIN);
  const { beforeLookUp } = createAbsences({ clock, outcomeWindowMs });
  return (request: string, afterMs: number, aheadMs = 0) => {
    clock.set(BEGIN + afterMs);
    return beforeLookUp(request, afterMs + aheadMs);
  };
}

test('a clock of the authority that was days ahead for a moment delays belief by the time of its lists alone', () => {
  const lookUp = waiting();
  assert.equal(lookUp('one', 10 * SECOND, 10 * DAY).isCertain, false);
  assert.deepEqual(lookUp('one', 400 * SECOND), { isCertain: false, pauseMs: 30 * SECOND });
  assert.equal(lookUp('one', 429 * SECOND).isCertain, false);
  assert.equal(lookUp('one', 430 * SECOND).isCertain, true);
});

test('a long window does not keep a registration from being found: look-ups go on at their usual pauses', () => {
  const lookUp = waiting(DAY);
  assert.deepEqual(lookUp('one', 300 * SECOND), { isCertain: false, pauseMs: 150 * SECOND });
  assert.deepEqual(lookUp('one', 60 * MINUTE), { isCertain: false, pauseMs: 10 * MINUTE });
  assert.deepEqual(lookUp('one', DAY - SECOND), { isCertain: false, pauseMs: SECOND });
  assert.equal(lookUp('one', DAY).isCertain, true);
});

test('of more requests than are remembered, each is believed absent in the end', () => {
  const lookUp = waiting();
  const left = new Set(Array.from({ length: 10_001 }, (_, index) => `request ${index}`));
  let afterMs = 400 * SECOND;
  for (; left.size > 0 && afterMs < 3 * 60 * MINUTE; afterMs += MINUTE) {
    for (const request of left) if (lookUp(request, afterMs).isCertain) left.delete(request);
  }
  assert.equal(left.size, 0);
});

test('the word of the authority is believed for a day by both clocks, so that neither can end it by a leap', () => {
  assert.equal(isWordBelieved(DAY - 1, DAY), true);
  assert.equal(isWordBelieved(10 * DAY, 60_000), true);
  assert.equal(isWordBelieved(60_000, 10 * DAY), true);
  assert.equal(isWordBelieved(DAY, DAY), false);
});
