import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chanceOf } from './chance.ts';
import { createVirtualTime } from './virtual-time.ts';

test('events happen in the order of their moments, and none that was cancelled', async () => {
  const time = createVirtualTime(0, chanceOf('order'));
  const happened: number[] = [];
  for (const ms of [500, 3, 70, 3, 1, 900, 20]) time.after(ms, () => happened.push(ms));
  time.after(10, () => happened.push(-1)).cancel();
  await time.runUntil(800);
  assert.deepEqual(happened, [1, 3, 3, 20, 70, 500]);
  assert.equal(time.now(), 800);
});

test('looks for work become rare while nothing happens, and frequent when something does', async () => {
  const time = createVirtualTime(0, chanceOf('looks'));
  let looks = 0;
  function look(): void {
    looks += 1;
    time.look(200, look);
  }
  look();
  await time.runUntil(86_400_000);
  assert.ok(looks < 40, `${looks} looks in a quiet day`);
  const before = looks;
  time.stir();
  await time.runUntil(86_400_000 + 10_000);
  assert.ok(looks > before, 'looked again soon after something had happened');
});
