import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { inTime } from './in-time.ts';

const HOUR_MS = 3_600_000;

test('what fails within the time has failed', async () => {
  let tries = 0;
  const failing = inTime(HOUR_MS, async () => {
    tries += 1;
    throw new Error('no');
  });
  await assert.rejects(failing, /no/u);
  assert.equal(tries, 1);
});

test('what fails after it is tried again, but not for ever', async () => {
  let tries = 0;
  const slow = (succeedsAt: number) =>
    inTime(5, async (beginsHere) => {
      tries += 1;
      beginsHere();
      await pause(10);
      if (tries < succeedsAt) throw new Error('too slow');
      return tries;
    });
  assert.equal(await slow(3), 3);
  tries = 0;
  await assert.rejects(slow(100), /too slow/u);
  assert.equal(tries, 5);
});
