import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAnswerCache, createTtlCache } from '../../../src/adapters/platform/ttl-cache.ts';
import { fc } from '../../support/seeds.ts';
import { clockAt } from '../../support/test-clock.ts';

const KEPT_MS = 1_000;

function answerCache(most = 100) {
  const clock = clockAt();
  const asked: string[] = [];
  const cache = createAnswerCache<string, string>(clock, { keptMs: KEPT_MS, most });
  return {
    clock,
    asked,
    drop: cache.delete,
    ask: (name: string, answer: () => Promise<string> = async () => `${name} ${asked.length}`) =>
      cache.answer(name, () => {
        asked.push(name);
        return answer();
      }),
  };
}

describe('answers', () => {
  test('are kept for their time, each under its key, and asked for anew afterwards', async () => {
    const { clock, asked, ask } = answerCache();
    assert.equal(await ask('a'), 'a 1');
    assert.equal(await ask('b'), 'b 2');
    clock.advance(KEPT_MS - 1);
    assert.equal(await ask('a'), 'a 1');
    clock.advance(1);
    assert.equal(await ask('a'), 'a 3');
    assert.deepEqual(asked, ['a', 'b', 'a']);
  });

  test('are shared by those who ask at the same time', async () => {
    const { asked, ask } = answerCache();
    assert.deepEqual(await Promise.all([ask('a'), ask('a'), ask('a')]), ['a 1', 'a 1', 'a 1']);
    assert.deepEqual(asked, ['a']);
  });

  test('that fail are told to all who wait for them and kept for nobody', async () => {
    const { asked, ask } = answerCache();
    const failing = () => Promise.reject(new Error('no answer'));
    const outcomes = await Promise.allSettled([ask('a', failing), ask('a', failing)]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await ask('a'), 'a 2');
    assert.deepEqual(asked, ['a', 'a']);
  });

  test('that fail late do not push out the answer to a later question', async () => {
    const { asked, ask, drop } = answerCache();
    const { promise, reject } = Promise.withResolvers<string>();
    const first = ask('a', () => promise);
    drop('a');
    assert.equal(await ask('a'), 'a 2');
    reject(new Error('no answer'));
    await assert.rejects(first, /no answer/u);
    assert.equal(await ask('a'), 'a 2');
    assert.deepEqual(asked, ['a', 'a']);
  });

  test('are kept no more than so many, however many keys there are', async () => {
    const { asked, ask } = answerCache(3);
    for (const name of ['a', 'b', 'c', 'd', 'd', 'c', 'b']) await ask(name);
    assert.deepEqual(asked, ['a', 'b', 'c', 'd']);
    await ask('a');
    assert.equal(asked.length, 5);
  });

  test('are asked for anew when the clock steps back', async () => {
    const { clock, asked, ask } = answerCache();
    await ask('a');
    clock.advance(-1);
    await ask('a');
    assert.equal(asked.length, 2);
  });
});

describe('values', () => {
  test('count from the moment they were asked for, and the last one outlives its time', () => {
    const clock = clockAt();
    const cache = createTtlCache<string, number>(clock, { keptMs: KEPT_MS, most: 2 });
    const takenAt = clock.now();
    clock.advance(KEPT_MS - 1);
    cache.set('a', 1, takenAt);
    assert.equal(cache.fresh('a'), 1);
    clock.advance(1);
    assert.deepEqual([cache.fresh('a'), cache.last('a')], [undefined, 1]);
    cache.delete('a');
    assert.equal(cache.last('a'), undefined);
  });

  test('are fresh for their time by whatever clock, never longer, and the latest of so many keys', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      moveMs: fc.integer({ min: -3_000, max: 3_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const clock = clockAt();
        const cache = createTtlCache<string, number>(clock, { keptMs: KEPT_MS, most: 3 });
        let model: readonly { readonly key: string; readonly takenAt: number }[] = [];
        for (const { key, moveMs } of steps) {
          clock.advance(moveMs);
          const takenAt = clock.now();
          cache.set(key, takenAt, takenAt);
          model = [...model.filter((entry) => entry.key !== key), { key, takenAt }].slice(-3);
          clock.advance(Math.trunc(moveMs / 2));
          for (const name of ['a', 'b', 'c', 'd']) {
            const expected = model.find((entry) => entry.key === name)?.takenAt;
            assert.equal(cache.last(name), expected);
            const ageMs = clock.now() - (expected ?? Number.NEGATIVE_INFINITY);
            assert.equal(cache.fresh(name), ageMs >= 0 && ageMs < KEPT_MS ? expected : undefined);
          }
        }
      }),
    );
  });
});
