import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFairShares } from '../../../src/domain/operations/fair-shares.ts';

test('an owner alone has half, the next one half of what is left', () => {
  const shares = createFairShares<string>(100);
  assert.deepEqual([shares.fits('a', 50), shares.fits('a', 51)], [true, false]);
  shares.change('a', 50);
  assert.deepEqual([shares.fits('a', 1), shares.fits('b', 25), shares.fits('b', 26)], [false, true, false]);
  shares.change('b', 25);
  assert.deepEqual([shares.of('a'), shares.of('b'), shares.of('c'), shares.used()], [50, 25, 0, 75]);
  shares.change('a', -50);
  assert.deepEqual([shares.of('a'), shares.used()], [0, 25]);
});

test('whatever comes and goes, it is never used up, and all of it is given back', () => {
  const step = fc.record({ owner: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(60) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const shares = createFairShares<string>(100);
      const taken = steps.filter(({ owner, bytes }) => {
        if (!shares.fits(owner, bytes)) return false;
        shares.change(owner, bytes);
        assert.ok(shares.used() < 100);
        return true;
      });
      for (const { owner, bytes } of taken) shares.change(owner, -bytes);
      return shares.used() === 0 && ['a', 'b', 'c'].every((owner) => shares.of(owner) === 0);
    }),
  );
});
