import type { InvoiceLine } from '../../../../domain/documents/invoice-content.ts';
import { compare, type Decimal, format, round } from '../../../../domain/values/decimal.ts';
import { ConversionFailure, quoted, withPath } from '../conversion-failure.ts';
import { TOTAL_DECIMALS } from './money.ts';

/** For a document whose figures contradict each other. The sentence is passed without its full stop. */
export function totalsMismatch(sentence: string, path: string): never {
  throw new ConversionFailure('TOTALS-MISMATCH', withPath(sentence, path));
}

/** The amounts are the same to the cent. EN 16931 states totals with two decimals; UBL allows more, which are rounded. */
export function isSameTotal(left: Decimal, right: Decimal): boolean {
  return compare(round(left, TOTAL_DECIMALS), round(right, TOTAL_DECIMALS)) === 0;
}

/** An amount for a message: with two decimals at least, and with all that it has. */
export function shownAmount(value: Decimal): string {
  return format(value.scale < TOTAL_DECIMALS ? round(value, TOTAL_DECIMALS) : value);
}

/** The line as its author finds it: by its number and the name of its item. */
export function namedLine({ id, item }: InvoiceLine): string {
  const number = id === null ? 'A line' : `Line ${quoted(id)}`;
  return item.name === null ? number : `${number} (${quoted(item.name)})`;
}
