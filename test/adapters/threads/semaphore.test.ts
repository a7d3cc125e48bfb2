import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSemaphore } from '../../../src/adapters/threads/semaphore.ts';

test('no more works run at once than there are permits, and owners take turns', async () => {
  const semaphore = createSemaphore(2);
  const begun: string[] = [];
  let running = 0;
  let most = 0;
  const work = (owner: string) =>
    semaphore.run(owner, async () => {
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

test('a work that fails gives its permit back', async () => {
  const semaphore = createSemaphore(1);
  await assert.rejects(
    semaphore.run('one', () => Promise.reject(new Error('no'))),
    /no/u,
  );
  assert.equal(await semaphore.run('another', async () => 'done'), 'done');
});

test('what waits begins in the order of arrival, and each end lets one more begin', async () => {
  const semaphore = createSemaphore(2);
  const begun: number[] = [];
  const works = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const results = works.map(({ promise }, index) =>
    semaphore.run('one', () => {
      begun.push(index);
      return promise;
    }),
  );
  assert.deepEqual(begun, [0, 1]);
  works[0]?.reject(new Error('damaged'));
  await assert.rejects(results[0] ?? assert.fail(), /damaged/u);
  works[1]?.resolve(1);
  assert.equal(await results[1], 1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(begun, [0, 1, 2, 3]);
  for (const [index, work] of works.entries()) work.resolve(index);
  assert.deepEqual(await Promise.all(results.slice(1)), [1, 2, 3, 4]);
  assert.ok(semaphore.isIdle());
});

test('an abort ends the wait, with its reason, and takes nothing from those behind', async () => {
  const semaphore = createSemaphore(1);
  const first = Promise.withResolvers<string>();
  const running = semaphore.run('one', () => first.promise);
  const leaving = new AbortController();
  const withdrawn = semaphore.run('one', async () => assert.fail('begun after all'), leaving.signal);
  const behind = semaphore.run('one', async () => 'behind');
  leaving.abort(new Error('no time'));
  await assert.rejects(withdrawn, /no time/u);
  await assert.rejects(
    semaphore.run('one', async () => assert.fail('begun after all'), leaving.signal),
    /no time/u,
  );
  assert.equal(semaphore.isIdle(), false);
  first.resolve('first');
  assert.deepEqual(await Promise.all([running, behind]), ['first', 'behind']);
  assert.ok(semaphore.isIdle());
});
