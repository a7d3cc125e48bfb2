import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('a wait ends when the signal is raised', async () => {
  const signal = createWakeUp();
  const waiting = signal.wait(LONG_MS);
  assert.equal(await isOver(waiting), false);
  signal.raise();
  assert.equal(await isOver(waiting), true);
});

test('a signal raised while nobody waits, however often, lets exactly the next one through', async () => {
  const signal = createWakeUp();
  signal.raise();
  signal.raise();
  assert.equal(await isOver(signal.wait(LONG_MS)), true);
  const second = signal.wait(LONG_MS);
  assert.equal(await isOver(second), false);
  signal.raise();
  await second;
});

test('a wait ends by itself after its time, and the next one is not let through by that', async () => {
  const signal = createWakeUp();
  await signal.wait(1);
  assert.equal(await isOver(signal.wait(LONG_MS)), false);
});
