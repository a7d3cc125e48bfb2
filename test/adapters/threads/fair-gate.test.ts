import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairGate } from '../../../src/adapters/threads/fair-gate.ts';

test('no more works run at once than there are places, and owners take turns', async () => {
  const gate = createFairGate(2);
  const begun: string[] = [];
  let running = 0;
  let most = 0;
  const work = (owner: string) =>
    gate(owner, async () => {
      begun.push(owner);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    });
  await Promise.all([...Array.from({ length: 50 }, () => work('greedy')), work('modest')]);
  assert.equal(most, 2);
  assert.ok(begun.indexOf('modest') <= 3, 'behind the two under way and one more');
  assert.equal(begun.length, 51);
});

test('a work that fails gives its place back', async () => {
  const gate = createFairGate(1);
  await assert.rejects(
    gate('one', () => Promise.reject(new Error('no'))),
    /no/u,
  );
  assert.equal(await gate('another', async () => 'done'), 'done');
});
