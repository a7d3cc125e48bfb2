import type { Amount } from '../../../../domain/documents/invoice-content.ts';
import { type Decimal, format, parseDecimal, round, toNumber } from '../../../../domain/values/decimal.ts';
import { notExpressible, quoted } from '../conversion-failure.ts';

export const DENAR = 'MKD';

/** Decimals kept where a division does not end; far finer than anything that is shown. */
export const WORKING_DECIMALS = 20;

/** As in the authority's own examples: four decimals on items, two on totals and VAT rows. */
export const ITEM_DECIMALS = 4;
export const TOTAL_DECIMALS = 2;

export type MoneyReader = (amount: Amount, path: string) => Decimal;

/** Reads amounts of a document in one currency; the authority's document has no place for a second one. */
export function createMoneyReader(currency: string): MoneyReader {
  return (amount, path) => {
    if (amount.currency !== null && amount.currency !== currency) {
      const sentence = `The amount is in ${quoted(amount.currency)}, while the document is in ${currency}`;
      notExpressible(sentence, `${path}/@currencyID`);
    }
    return decimalAt(amount.value, path);
  };
}

export function decimalAt(text: string, path: string): Decimal {
  return parseDecimal(text) ?? notExpressible(`${quoted(text)} is no number`, path);
}

/** A figure of the authority's document, rounded to so many decimals. */
export function figure(value: Decimal, decimals: number, path: string): number {
  return exactFigure(round(value, decimals), path);
}

export function exactFigure(value: Decimal, path: string): number {
  const number = toNumber(value);
  if (number !== null) return number;
  return notExpressible(
    `The figure ${format(value)} has more than 15 digits, which the authority's document cannot carry`,
    path,
  );
}
