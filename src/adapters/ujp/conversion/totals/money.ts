import type { Amount } from '../../../../domain/documents/invoice-content.ts';
import { message } from '../../../../domain/messages/message.ts';
import { type Decimal, format, multiply, parseDecimal, toNumber } from '../../../../domain/values/decimal.ts';
import { excerpt, notExpressible } from '../conversion-failure.ts';

/** Decimals kept of an endless division; far more than any number in the document has. */
export const WORKING_DECIMALS = 20;

/** As in the authority's examples. */
export const ITEM_DECIMALS = 4;

/** What rounding to two decimals changes at most. */
export const HALF_CENT: Decimal = { units: 5n, scale: 3 };
/** By how much the authority's formulas may be missed. */
export const CENT: Decimal = { units: 1n, scale: 2 };

export type MoneyReader = (amount: Amount, path: string) => Decimal;

/** Reads amounts in the document's currency; the authority's document has no second one. */
export function createMoneyReader(currency: string): MoneyReader {
  return (amount, path) => {
    if (amount.currency !== null && amount.currency !== currency) {
      const values = { currency: excerpt(amount.currency), documentCurrency: currency };
      notExpressible(message('amount-in-other-currency', values), `${path}/@currencyID`);
    }
    return decimalAt(amount.value, path);
  };
}

export function percentOf(amount: Decimal, percent: Decimal): Decimal {
  return multiply(multiply(amount, percent), { units: 1n, scale: 2 });
}

export function decimalAt(text: string, path: string): Decimal {
  return parseDecimal(text) ?? notExpressible(message('not-a-number', { value: excerpt(text) }), path);
}

/** As a JSON number. Up to 15 digits a double holds every decimal number exactly. */
export function exactNumber(value: Decimal, path: string): number {
  const number = toNumber(value);
  if (number !== null) return number;
  return notExpressible(message('too-many-digits', { number: format(value) }), path);
}
