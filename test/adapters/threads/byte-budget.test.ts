import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createByteBudget } from '../../../src/adapters/threads/byte-budget.ts';

/** Works that run until they are told to end, and what has begun, in order. */
function works(budget: ReturnType<typeof createByteBudget>) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    begin(name: string, owner: string, bytes: number): Promise<void> {
      return budget.run(owner, bytes, () => {
        begun.push(name);
        return new Promise<void>((resolve) => void ends.set(name, resolve));
      });
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

test('work waits until there is room for its bytes, owners take turns, and nothing overtakes', async () => {
  const held: number[] = [];
  const budget = createByteBudget({ totalBytes: 10, smallBytes: 1, held: (bytes) => held.push(bytes) });
  const { begun, begin, end } = works(budget);
  for (const name of ['a1', 'a2', 'a3']) void begin(name, 'a', 6);
  void begin('b1', 'b', 6);
  void begin('c1', 'c', 3);
  void begin('small', 'c', 1);
  await end('none');
  assert.deepEqual(begun, ['small', 'a1'], 'c1 would fit, but it is the turn of others');
  await end('a1');
  assert.deepEqual(begun.slice(2), ['a2']);
  await end('a2');
  assert.deepEqual(begun.slice(3), ['b1', 'c1']);
  await end('b1');
  await end('c1');
  await end('a3');
  assert.deepEqual(begun.slice(5), ['a3']);
  assert.equal(Math.max(...held), 9);
  assert.equal(held.at(-1), 0);
});

test('work larger than the budget goes alone', async () => {
  const { begun, begin, end } = works(createByteBudget({ totalBytes: 10, smallBytes: 1 }));
  void begin('first', 'a', 4);
  void begin('huge', 'b', 100);
  void begin('last', 'c', 4);
  await end('none');
  assert.deepEqual(begun, ['first']);
  await end('first');
  assert.deepEqual(begun, ['first', 'huge']);
  await end('huge');
  assert.deepEqual(begun, ['first', 'huge', 'last']);
});

test('a stop ends every wait, and what runs goes on; work that fails gives its bytes back', async () => {
  const budget = createByteBudget({ totalBytes: 10, smallBytes: 1 });
  await assert.rejects(
    budget.run('a', 10, async () => {
      throw new Error('failed');
    }),
    /failed/u,
  );
  const { begun, begin, end } = works(budget);
  const running = begin('first', 'a', 10);
  const waiting = begin('second', 'b', 10);
  budget.refuseWaiting(new Error('stopping'));
  await assert.rejects(waiting, /stopping/u);
  await assert.rejects(begin('third', 'c', 1), /stopping/u);
  await end('first');
  await running;
  assert.deepEqual(begun, ['first']);
});
