import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  absolute,
  add,
  compare,
  type Decimal,
  divide,
  format,
  formatShortest,
  isNegative,
  isZero,
  leastScale,
  multiply,
  negate,
  ONE,
  parseDecimal,
  round,
  subtract,
  sum,
  toNumber,
  ZERO,
} from '../../../src/domain/values/decimal.ts';
import { fc } from '../../support/seeds.ts';

const anyDecimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.nat(20))
  .map(([units, scale]): Decimal => ({ units, scale }));
const anyScale = fc.nat(12);

function of(text: string): Decimal {
  const value = parseDecimal(text);
  assert.ok(value !== null, text);
  return value;
}

function assertEqual(left: Decimal, right: Decimal): void {
  assert.equal(compare(left, right), 0, `${format(left)} and ${format(right)}`);
}

describe('reading and writing', () => {
  const readings = [
    ['0', '0'],
    ['12.50', '12.50'],
    ['-12.50', '-12.50'],
    ['+3', '3'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-0.00', '0.00'],
    ['007', '7'],
  ] as const;
  for (const [written, plain] of readings) {
    test(`${written} is ${plain}`, () => assert.equal(format(of(written)), plain));
  }

  for (const text of ['', '.', '-', '1e5', '1,5', ' 1', '0x1', 'INF', 'NaN', '--1', '1.2.3', '9'.repeat(101)]) {
    test(`'${text.slice(0, 20)}' is no number`, () => assert.equal(parseDecimal(text), null));
  }

  test('what is written can be read, digit for digit', () => {
    fc.assert(fc.property(anyDecimal, (value) => assert.deepEqual(of(format(value)), value)));
  });

  test('the shortest form has the same value and no zero at its end', () => {
    fc.assert(
      fc.property(anyDecimal, (value) => {
        const shortest = formatShortest(value);
        assertEqual(of(shortest), value);
        assert.doesNotMatch(shortest, /\.\d*0$|\.$/u);
      }),
    );
  });
});

describe('arithmetic', () => {
  test('adds and multiplies in any order, and subtracting undoes adding', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, anyDecimal, (a, b, c) => {
        assertEqual(add(a, b), add(b, a));
        assertEqual(multiply(a, b), multiply(b, a));
        assertEqual(add(add(a, b), c), add(a, add(b, c)));
        assertEqual(multiply(a, add(b, c)), add(multiply(a, b), multiply(a, c)));
        assertEqual(subtract(add(a, b), b), a);
        assertEqual(sum([a, b, c]), add(a, add(b, c)));
      }),
    );
  });

  test('knows 0.1 + 0.2', () => assert.equal(format(add(of('0.1'), of('0.2'))), '0.3'));

  test('a quotient is as near as its decimals allow, and a half goes away from zero', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, anyScale, (dividend, divisor, scale) => {
        fc.pre(!isZero(divisor));
        const quotient = divide(dividend, divisor, scale);
        assert.equal(quotient.scale, scale);
        const error = subtract(dividend, multiply(quotient, divisor));
        const twice = absolute(multiply(error, of('2')));
        const step = absolute(multiply(divisor, { units: 1n, scale }));
        assert.ok(compare(twice, step) <= 0);
        if (compare(twice, step) === 0 && !isZero(dividend)) {
          assert.ok(compare(absolute(multiply(quotient, divisor)), absolute(dividend)) > 0);
        }
      }),
    );
  });

  test('dividing what was multiplied gives it back', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        fc.pre(!isZero(b));
        assertEqual(divide(multiply(a, b), b, a.scale), a);
      }),
    );
  });

  test('there is no division by zero', () => {
    assert.throws(() => divide(ONE, ZERO, 2), RangeError);
    assert.throws(() => divide(ONE, of('0.00'), 2), RangeError);
  });

  test('rounding is dividing by one', () => {
    fc.assert(
      fc.property(anyDecimal, anyScale, (a, scale) => assert.deepEqual(round(a, scale), divide(a, ONE, scale))),
    );
  });

  const roundings = [
    ['0.5', 0, '1'],
    ['-0.5', 0, '-1'],
    ['1.005', 2, '1.01'],
    ['-1.005', 2, '-1.01'],
    ['1.0049999', 2, '1.00'],
    ['2.675', 2, '2.68'],
    ['1', 2, '1.00'],
    ['-0.004', 2, '0.00'],
    ['99.995', 2, '100.00'],
  ] as const;
  for (const [value, scale, rounded] of roundings) {
    test(`${value} to ${scale} decimals is ${rounded}`, () => assert.equal(format(round(of(value), scale)), rounded));
  }

  test('compares by value, whatever the scale', () => {
    assert.equal(compare(of('1.0'), of('1.000')), 0);
    assert.ok(compare(of('-2'), of('-1.99')) < 0);
    assert.ok(compare(of('10'), of('9.99')) > 0);
    fc.assert(fc.property(anyDecimal, (a) => assert.equal(isNegative(a), compare(a, ZERO) < 0)));
    fc.assert(fc.property(anyDecimal, (a) => assertEqual(add(a, negate(a)), ZERO)));
  });
});

describe('as a JSON number', () => {
  test('every value of at most fifteen digits arrives unchanged', () => {
    const short = fc.record({ units: fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), scale: fc.nat(6) });
    fc.assert(
      fc.property(short, (value) => {
        const number = toNumber(value);
        assert.ok(number !== null);
        assertEqual(of(JSON.stringify(number)), value);
      }),
    );
  });

  test('and is the nearest double, whatever its scale', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), fc.nat(20), (units, scale) => {
        const value = { units, scale };
        assert.equal(toNumber(value), Number(format(value)));
      }),
    );
  });

  test('a value with more digits is none', () => {
    assert.equal(toNumber(of('1234567890123456')), null);
    assert.equal(toNumber(of('0.1234567890123456')), null);
    assert.equal(toNumber(of('123456789012345.000')), 123456789012345);
    assert.equal(toNumber(of('0.000000123')), 0.000000123);
  });
});

test('the least scale keeps the value, and one less does not', () => {
  fc.assert(
    fc.property(anyDecimal, (value) => {
      const least = leastScale(value);
      assertEqual(round(value, least), value);
      assert.ok(least === 0 || compare(round(value, least - 1), value) !== 0);
    }),
  );
});
