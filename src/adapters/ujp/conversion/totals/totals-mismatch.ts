import type { Message } from '../../../../domain/messages/message.ts';
import { compare, type Decimal, format, leastScale, round } from '../../../../domain/values/decimal.ts';
import { ConversionFailure } from '../conversion-failure.ts';
import { TOTAL_DECIMALS } from './money.ts';

/** For a document whose figures contradict each other. */
export function totalsMismatch(reason: Message, path: string): never {
  throw new ConversionFailure('TOTALS-MISMATCH', reason, path);
}

/** The amounts are the same to the cent. EN 16931 states totals with two decimals; UBL allows more, which are rounded. */
export function isSameTotal(left: Decimal, right: Decimal): boolean {
  return compare(round(left, TOTAL_DECIMALS), round(right, TOTAL_DECIMALS)) === 0;
}

/** An amount for a message: with two decimals at least, and with all that say something. */
export function shownAmount(value: Decimal): string {
  return format(round(value, Math.max(TOTAL_DECIMALS, leastScale(value))));
}
