import { add, type Decimal, divide, multiply, round, subtract, sum, ZERO } from '../../../../domain/values/decimal.ts';

/**
 * Divides an amount by weights that are not negative and not all zero. Each part is rounded, and the parts add up to the
 * amount exactly: what is rounded is where each part ends, not how long it is.
 */
export function proRata(amount: Decimal, weights: readonly Decimal[], decimals: number): readonly Decimal[] {
  const scale = Math.max(decimals, amount.scale);
  const whole = sum(weights);
  let weight = ZERO;
  let reached = round(ZERO, scale);
  return weights.map((own) => {
    weight = add(weight, own);
    const end = divide(multiply(amount, weight), whole, scale);
    const part = subtract(end, reached);
    reached = end;
    return part;
  });
}
