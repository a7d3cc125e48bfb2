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

test('what cannot be taken now keeps its place, and what is put back is next', () => {
  const queue = createFairQueue<string>();
  for (const item of ['large', 'small']) queue.push('a', item);
  queue.push('b', 'other');
  assert.equal(
    queue.take((item) => item !== 'large'),
    'small',
  );
  queue.putBack('a', 'again');
  assert.deepEqual([queue.take(ANY), queue.take(ANY), queue.take(ANY)], ['again', 'other', 'large']);
  assert.equal(queue.take(ANY), undefined);
});
