import { TOTAL_DECIMALS } from '../../../../domain/invoices/stated-totals.ts';
import type { Message } from '../../../../domain/messages/message.ts';
import {
  absolute,
  type Decimal,
  format,
  isNegative,
  leastScale,
  round,
  sum,
} from '../../../../domain/values/decimal.ts';
import { ConversionFailure } from '../conversion-failure.ts';

/** For a document whose figures contradict each other. */
export function totalsMismatch(reason: Message, path: string): never {
  throw new ConversionFailure('TOTALS-MISMATCH', reason, path);
}

/** An amount for a message: with two decimals at least, and with all that say something. */
export function shownAmount(value: Decimal): string {
  return format(round(value, Math.max(TOTAL_DECIMALS, leastScale(value))));
}

const MAX_PARTS = 4;

/** An amount that a document states in several places: the sum alone stands nowhere in it. `200.00 (150.00 + 50.00)` */
export function shownSum(parts: readonly Decimal[]): string {
  const total = shownAmount(sum(parts));
  const [first, ...others] = parts;
  if (first === undefined || others.length === 0) return total;
  const more = others
    .slice(0, MAX_PARTS - 1)
    .map((part) => ` ${isNegative(part) ? '-' : '+'} ${shownAmount(absolute(part))}`);
  return `${total} (${shownAmount(first)}${more.join('')}${parts.length > MAX_PARTS ? ' + …' : ''})`;
}
