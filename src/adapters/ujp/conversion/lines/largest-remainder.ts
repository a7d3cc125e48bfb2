import { type Decimal, leastScale, round, sum } from '../../../../domain/values/decimal.ts';

/**
 * Divides an amount in proportion to weights that are not negative and not all zero. Each part is its exact share rounded down
 * or up, the largest remainders up, so that the parts add up to the amount exactly. They have the decimals of the weights at
 * least: no part is then larger than its weight, unless the amount is larger than all weights together.
 */
export function apportion(amount: Decimal, weights: readonly Decimal[], decimals: number): readonly Decimal[] {
  const scale = weights.reduce(
    (most, weight) => Math.max(most, leastScale(weight)),
    Math.max(decimals, leastScale(amount)),
  );
  const unitsOf = (value: Decimal) => round(value, scale).units;
  const whole = unitsOf(sum(weights));
  const total = unitsOf(amount);
  const shares = weights.map((weight, index) => {
    const product = total * unitsOf(weight);
    return { index, units: product / whole, remainder: product % whole };
  });
  const missing = Number(total - shares.reduce((units, share) => units + share.units, 0n));
  const roundedUp = new Set(
    shares
      .toSorted((left, right) => larger(left.remainder, right.remainder))
      .slice(0, missing)
      .map(({ index }) => index),
  );
  return shares.map(({ index, units }) => ({ units: roundedUp.has(index) ? units + 1n : units, scale }));
}

function larger(left: bigint, right: bigint): number {
  return left > right ? -1 : left < right ? 1 : 0;
}
