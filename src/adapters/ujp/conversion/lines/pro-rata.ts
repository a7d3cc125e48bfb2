import { add, type Decimal, divide, multiply, round, subtract, sum, ZERO } from '../../../../domain/values/decimal.ts';

/**
 * Divides an amount in proportion to weights that are not negative and not all zero. The rounded parts add up to the amount
 * exactly, because the running total is rounded and each part is the difference between two running totals.
 */
export function proRata(amount: Decimal, weights: readonly Decimal[], decimals: number): readonly Decimal[] {
  const scale = Math.max(decimals, amount.scale);
  const whole = sum(weights);
  let runningWeight = ZERO;
  let runningTotal = round(ZERO, scale);
  return weights.map((weight) => {
    runningWeight = add(runningWeight, weight);
    const next = divide(multiply(amount, runningWeight), whole, scale);
    const part = subtract(next, runningTotal);
    runningTotal = next;
    return part;
  });
}
