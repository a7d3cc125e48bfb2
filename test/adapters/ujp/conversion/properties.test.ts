import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apportion } from '../../../../src/adapters/ujp/conversion/lines/largest-remainder.ts';
import {
  absolute,
  compare,
  type Decimal,
  divide,
  format,
  isNegative,
  multiply,
  parseDecimal,
  subtract,
  sum,
  ZERO,
} from '../../../../src/domain/values/decimal.ts';
import { fc } from '../../../support/seeds.ts';

const numRuns = process.env['TEST_LONG'] === '1' ? 5_000 : 300;

function decimals(max: number, scale: number, min = 0): fc.Arbitrary<Decimal> {
  return fc.bigInt({ min: BigInt(min), max: BigInt(max) }).map((units) => ({ units, scale }));
}

function near(left: Decimal, right: Decimal, tolerance: string): boolean {
  return compare(absolute(subtract(left, right)), parseDecimal(tolerance) ?? ZERO) <= 0;
}

describe('amounts distributed pro rata', () => {
  const weights = fc.array(decimals(10_000_000, 3), { minLength: 1, maxLength: 40 });

  test('add up exactly, are not negative, and differ from the exact share by less than one unit', () => {
    fc.assert(
      fc.property(decimals(100_000_000, 2), weights, fc.constantFrom(2, 3, 4, 20), (amount, shares, scale) => {
        const whole = sum(shares);
        fc.pre(compare(whole, ZERO) > 0);
        const parts = apportion(amount, shares, scale);
        assert.equal(compare(sum(parts), amount), 0);
        assert.ok(!parts.some(isNegative));
        for (const [index, part] of parts.entries()) {
          const share = divide(multiply(amount, shares[index] ?? ZERO), whole, 25);
          assert.ok(near(part, share, format({ units: 1n, scale })), `${format(part)} for ${format(share)}`);
          const isMoreThanAll = compare(amount, whole) > 0;
          assert.ok(isMoreThanAll || compare(part, shares[index] ?? ZERO) <= 0, 'no more than there is');
        }
      }),
      { numRuns },
    );
  });

  test('add up exactly also if the amount has more decimals than requested', () => {
    fc.assert(
      fc.property(decimals(1_000_000, 7), weights, (amount, shares) => {
        fc.pre(compare(sum(shares), ZERO) > 0);
        assert.equal(compare(sum(apportion(amount, shares, 4)), amount), 0);
      }),
      { numRuns },
    );
  });
});
