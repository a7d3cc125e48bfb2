import type { StatedRate } from '../../../../domain/invoices/stated-rate.ts';
import {
  absolute,
  add,
  compare,
  type Decimal,
  divide,
  isNegative,
  isZero,
  leastScale,
  multiply,
  subtract,
} from '../../../../domain/values/decimal.ts';
import { HALF_CENT, WORKING_DECIMALS } from './money.ts';

const HALF_DENAR: Decimal = { units: 5n, scale: 1 };

/**
 * Whether an amount that is stated in denars is that of the document at the rate, if so many parts of it were rounded before and after
 * they were converted, to whole denars where it is stated in such, by a rate that may be stated with fewer decimals than it has.
 */
export function isConverted(
  stated: Decimal,
  amount: Decimal,
  { rate, agreesWith }: Pick<StatedRate, 'rate' | 'agreesWith'>,
  parts: number,
): boolean {
  const rounding = leastScale(stated) === 0 ? HALF_DENAR : HALF_CENT;
  const most = multiply(add(multiply(HALF_CENT, rate), rounding), { units: BigInt(parts), scale: 0 });
  const difference = subtract(stated, multiply(amount, rate));
  if (compare(absolute(difference), most) <= 0) return true;
  const nearest = isNegative(difference) ? add(stated, most) : subtract(stated, most);
  return !isZero(amount) && !isZero(nearest) && agreesWith(divide(nearest, amount, WORKING_DECIMALS));
}
