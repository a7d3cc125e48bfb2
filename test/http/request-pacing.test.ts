import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { createRequestPacing } from '../../src/http/request-pacing.ts';

const A_TURN = 16;

test('requests that come at once begin in the order of their arrival, a few in each turn of the event loop', async () => {
  const pacing = createRequestPacing(systemTimers);
  const begun: number[] = [];
  const requests = Array.from({ length: 100 }, async (_, number) => {
    const mayBegin = pacing();
    if (mayBegin !== null) await mayBegin;
    begun.push(number);
  });
  const counts: number[] = [];
  while (begun.length < requests.length) {
    await systemTimers.nextTurn();
    counts.push(begun.length);
  }
  await Promise.all(requests);
  assert.deepEqual(begun, Array.from(requests.keys()));
  for (const [turn, count] of counts.entries()) assert.ok(count - (counts[turn - 1] ?? 0) <= 2 * A_TURN, `${counts}`);
  assert.ok(counts.length >= 100 / A_TURN - 2);
});

test('one that comes while others wait does not overtake them, and none waits once all have begun', async () => {
  const pacing = createRequestPacing(systemTimers);
  const begun: string[] = [];
  const request = (name: string) => Promise.resolve(pacing()).then(() => begun.push(name));
  const first = Array.from({ length: A_TURN + 1 }, () => request('first'));
  await systemTimers.nextTurn();
  const many = Array.from({ length: A_TURN }, () => request('many'));
  await Promise.all([...first, ...many]);
  assert.deepEqual(begun, begun.toSorted());
  await systemTimers.nextTurn();
  await systemTimers.nextTurn();
  assert.equal(pacing(), null);
});

test('fewer begin in a turn while they take long, never fewer than four, and as many as before when they are short again', async () => {
  const { timers, nextTurn, take } = turnsByHand();
  const pacing = createRequestPacing(timers);
  let waiting = 0;
  const request = async () => {
    waiting += 1;
    await pacing();
    waiting -= 1;
  };
  const requests = Array.from({ length: 300 }, request);
  async function begunIn(tookMs: number): Promise<number> {
    const before = waiting;
    take(tookMs);
    await nextTurn();
    return before - waiting;
  }
  await Promise.resolve();
  assert.equal(requests.length - waiting, A_TURN);
  assert.equal(await begunIn(10), 8);
  assert.equal(await begunIn(8), 5);
  assert.equal(await begunIn(1_000), 4);
  assert.equal(await begunIn(1_000), 4);
  for (const count of [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, A_TURN, A_TURN]) assert.equal(await begunIn(5), count);
  while (waiting > 0) await nextTurn();
  await Promise.all(requests);
});

test('a long turn with few requests in it does not slow down those that come', async () => {
  const { timers, nextTurn, take } = turnsByHand();
  const pacing = createRequestPacing(timers);
  for (let turn = 0; turn < 5; turn += 1) {
    assert.equal(pacing(), null);
    take(50);
    await nextTurn();
  }
  const begun = Array.from({ length: A_TURN + 1 }, pacing).filter((mayBegin) => mayBegin === null);
  assert.equal(begun.length, A_TURN);
});

/** Turns that last as long as they are told to. */
function turnsByHand() {
  let now = 0;
  let resume: () => void = () => undefined;
  return {
    timers: {
      elapsedMs: () => now,
      nextTurn: () =>
        new Promise<void>((resolve) => {
          resume = resolve;
        }),
    },
    take(ms: number) {
      now += ms;
    },
    /** Ends the turn, and lets all that begin in the next one do so. */
    async nextTurn() {
      resume();
      await systemTimers.nextTurn();
    },
  };
}
