import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remembered } from '../../../../src/adapters/ujp/preparation/remembered.ts';
import { clockAt } from '../../../support/test-clock.ts';

const KEPT_MS = 1_000;

function memory(most = 100) {
  const clock = clockAt();
  const asked: string[] = [];
  const remember = remembered<string>(clock, { keptMs: KEPT_MS, most });
  return {
    clock,
    asked,
    ask: (name: string, answer: () => Promise<string> = async () => `${name} ${asked.length}`) =>
      remember(name, () => {
        asked.push(name);
        return answer();
      }),
  };
}

test('an answer is remembered for its time, under its name, and asked for anew afterwards', async () => {
  const { clock, asked, ask } = memory();
  assert.equal(await ask('a'), 'a 1');
  assert.equal(await ask('b'), 'b 2');
  clock.advance(KEPT_MS - 1);
  assert.equal(await ask('a'), 'a 1');
  clock.advance(1);
  assert.equal(await ask('a'), 'a 3');
  assert.deepEqual(asked, ['a', 'b', 'a']);
});

test('those who ask at the same time share one answer', async () => {
  const { asked, ask } = memory();
  assert.deepEqual(await Promise.all([ask('a'), ask('a'), ask('a')]), ['a 1', 'a 1', 'a 1']);
  assert.deepEqual(asked, ['a']);
});

test('a failure is told to all who wait for it and remembered for nobody', async () => {
  const { asked, ask } = memory();
  const failing = () => Promise.reject(new Error('no answer'));
  const outcomes = await Promise.allSettled([ask('a', failing), ask('a', failing)]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await ask('a'), 'a 2');
  assert.deepEqual(asked, ['a', 'a']);
});

test('however many names there are, no more than so many answers are kept', async () => {
  const { asked, ask } = memory(3);
  for (const name of ['a', 'b', 'c', 'd', 'd']) await ask(name);
  assert.deepEqual(asked, ['a', 'b', 'c', 'd']);
  await ask('a');
  assert.equal(asked.length, 5);
});
