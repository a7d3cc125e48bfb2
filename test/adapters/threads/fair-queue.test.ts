import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairQueue } from '../../../src/adapters/threads/fair-queue.ts';
import { fc } from '../../support/seeds.ts';

const ANY = () => true;

test('between two items of an owner everybody else with something waiting has a turn', () => {
  const owners = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });
  fc.assert(
    fc.property(owners, (arrivals) => {
      const queue = createFairQueue<{ readonly owner: string; readonly number: number }>();
      for (const [number, owner] of arrivals.entries()) queue.push(owner, { owner, number });
      const taken = Array.from(arrivals, () => queue.take(ANY) ?? assert.fail());
      assert.ok(queue.isEmpty());
      for (const owner of new Set(arrivals)) {
        const own = taken.filter((item) => item.owner === owner).map(({ number }) => number);
        assert.deepEqual(
          own,
          own.toSorted((one, other) => one - other),
          'in the order of arrival',
        );
      }
      for (const [index, { owner }] of taken.entries()) {
        const next = taken.findIndex((item, at) => at > index && item.owner === owner);
        const between = next === -1 ? [] : taken.slice(index + 1, next).map((item) => item.owner);
        assert.equal(new Set(between).size, between.length, 'nobody has two turns in between');
        const waiting = new Set(taken.slice(index + 1).map((item) => item.owner)).difference(new Set([owner]));
        if (next !== -1) assert.deepEqual(new Set(between), waiting);
      }
    }),
  );
});

test('an owner whose item cannot be taken now keeps its turn, and what is put back is next', () => {
  const queue = createFairQueue<string>();
  const isSmall = (item: string) => !item.startsWith('large');
  queue.push('a', 'large 1');
  for (const item of ['small 1', 'small 2', 'small 3']) queue.push('b', item);
  queue.push('c', 'large 2');
  assert.deepEqual([queue.take(isSmall), queue.take(isSmall)], ['small 1', 'small 2']);
  assert.deepEqual([queue.next(), queue.next(isSmall)], ['large 1', 'small 3']);
  queue.putBack('b', 'again');
  assert.deepEqual(
    Array.from({ length: 4 }, () => queue.take()),
    ['again', 'large 1', 'large 2', 'small 3'],
  );
  assert.equal(queue.take(), undefined);
});

test('what is removed is not taken, and its owner keeps its turn for the others', () => {
  const queue = createFairQueue<string>();
  for (const item of ['one', 'two']) queue.push('a', item);
  queue.push('b', 'other');
  queue.remove('a', 'one');
  queue.remove('b', 'unknown');
  assert.deepEqual([queue.take(), queue.take(), queue.isEmpty()], ['two', 'other', true]);
  queue.push('b', 'last');
  queue.remove('b', 'last');
  assert.ok(queue.isEmpty());
});
