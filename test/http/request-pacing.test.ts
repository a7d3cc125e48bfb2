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
