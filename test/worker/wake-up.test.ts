import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimers } from '../../src/adapters/platform/timers.ts';
import { createWakeUp } from '../../src/worker/wake-up.ts';

const LONG_MS = 60_000;

/** Whether it is over by the time everything that is ready has run. */
async function isOver(waiting: Promise<void>): Promise<boolean> {
  let over = false;
  void waiting.then(() => {
    over = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return over;
}

test('a wait ends when it is woken', async () => {
  const wakeUp = createWakeUp(systemTimers);
  const waiting = wakeUp.wait(LONG_MS);
  assert.equal(await isOver(waiting), false);
  wakeUp.wake();
  assert.equal(await isOver(waiting), true);
});

test('a wake-up while nothing waits, however often, ends exactly the next wait', async () => {
  const wakeUp = createWakeUp(systemTimers);
  wakeUp.wake();
  wakeUp.wake();
  assert.equal(await isOver(wakeUp.wait(LONG_MS)), true);
  const second = wakeUp.wait(LONG_MS);
  assert.equal(await isOver(second), false);
  wakeUp.wake();
  await second;
});

test('a wait ends by itself after its time, and that does not end the next one', async () => {
  const wakeUp = createWakeUp(systemTimers);
  await wakeUp.wait(1);
  assert.equal(await isOver(wakeUp.wait(LONG_MS)), false);
});
