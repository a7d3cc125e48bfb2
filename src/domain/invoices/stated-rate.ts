import type { ExchangeRate, InvoiceContent } from '../documents/invoice-content.ts';
import {
  compare,
  type Decimal,
  divide,
  isNegative,
  isZero,
  multiply,
  ONE,
  parseDecimal,
  round,
} from '../values/decimal.ts';
import { visibleText } from '../values/one-line-text.ts';
import { DENAR } from './denar.ts';

/** Decimals kept of an endless division. */
const WORKING_DECIMALS = 20;
const LONGEST_FOUND = 60;

/** More than any published rate has, and fewer than a double keeps. */
const RATE_DIGITS = 12;

/** A rate as denars for one unit of the document's currency. */
export type StatedRate = {
  readonly path: string;
  readonly rate: Decimal;
  readonly date: string | null;
  /** As the document states it: `MKD → EUR, Divide 61.695`. */
  readonly found: string;
  /** The stated number is units for one denar. Authors often mean the reverse of what they so state. */
  readonly isInverse: boolean;
  /** It may be meant for one denar or for a hundred units, or stand for a rate that nobody filled in. */
  readonly isUnusual: boolean;
  /** Whether the stated number is this rate, rounded to the decimals that it was stated with. */
  readonly agreesWith: (rate: Decimal) => boolean;
};

export type RatesIntoDenars = {
  /** Those that need no inversion first: they are exact. */
  readonly readable: readonly StatedRate[];
  readonly unreadable: readonly { readonly path: string; readonly found: string }[];
};

/** Hardly any currency is worth as little as one denar, or more than so many. */
const MOST_DENARS: Decimal = { units: 1000n, scale: 0 };
/** Worth less than a denar: banks list them for a hundred units, and that number looks like the rate of any other currency. */
const OFTEN_FOR_A_HUNDRED = ['ALL', 'HUF', 'IDR', 'INR', 'ISK', 'JPY', 'KRW', 'PHP', 'RSD', 'RUB'];

type Pair = Pick<ExchangeRate, 'sourceCurrency' | 'targetCurrency'>;

/** Every rate between the document's currency and denars that has a number, in whichever direction. */
export function ratesIntoDenars({ exchangeRates }: InvoiceContent, currency: string): RatesIntoDenars {
  const stated = exchangeRates.filter((one) => one.rate !== null && isBetween(one, currency));
  const read = stated.map((one) => ({ path: one.path, found: found(one), rate: denarsForOne(one) }));
  const readable = read.flatMap(({ rate }) => rate ?? []);
  return {
    readable: readable.toSorted((one, other) => Number(one.isInverse) - Number(other.isInverse)),
    unreadable: read.filter(({ rate }) => rate === null),
  };
}

/** Every other rate that has a number: of a document in denars all, since a denar is a denar. */
export function ratesOfOtherPairs(
  { exchangeRates }: InvoiceContent,
  currency: string,
): readonly { readonly path: string; readonly found: string }[] {
  const others = exchangeRates.filter(
    (one) =>
      one.rate !== null &&
      one.sourceCurrency !== one.targetCurrency &&
      (currency === DENAR || !isBetween(one, currency)),
  );
  return others.map((one) => ({ path: one.path, found: found(one) }));
}

function isBetween({ sourceCurrency, targetCurrency }: Pair, currency: string): boolean {
  const pair = [sourceCurrency, targetCurrency];
  return pair.includes(currency) && pair.includes(DENAR);
}

/**
 * UBL: an amount in the source currency, counted in units of its base rate, times or divided by the calculation rate is the amount
 * in the target currency. What a base rate of the target currency does to the result is not defined.
 */
function denarsForOne(stated: ExchangeRate): StatedRate | null {
  const value = positive(stated.rate);
  const base = positive(stated.sourceBaseRate ?? '1');
  const targetBase = positive(stated.targetBaseRate ?? '1');
  const operator = /^(?:mul|div)/u.exec((stated.operator ?? 'multiply').toLowerCase())?.[0];
  const isDefined = targetBase !== null && compare(targetBase, ONE) === 0;
  if (value === null || base === null || operator === undefined || !isDefined) return null;
  const isFromDenars = stated.sourceCurrency === DENAR;
  const isInverse = (operator === 'div') !== isFromDenars;
  const [units, denars] = isFromDenars ? [ONE, base] : [base, ONE];
  const rate = isInverse ? quotient(denars, multiply(units, value)) : quotient(multiply(denars, value), units);
  if (isZero(rate)) return null;
  const numberFor = (other: Decimal) =>
    isInverse
      ? divide(denars, multiply(units, other), WORKING_DECIMALS)
      : divide(multiply(units, other), denars, WORKING_DECIMALS);
  const agreesWith = (other: Decimal) => compare(round(numberFor(other), value.scale), value) === 0;
  const isUnusual = isUnusualRate(rate, isFromDenars ? stated.targetCurrency : stated.sourceCurrency);
  return { path: stated.path, rate, date: stated.date, found: found(stated), isInverse, isUnusual, agreesWith };
}

function isUnusualRate(rate: Decimal, currency: string | null): boolean {
  const isSmallOrLarge = compare(rate, ONE) <= 0 || compare(rate, MOST_DENARS) > 0;
  return isSmallOrLarge || isOftenForAHundred(currency);
}

export function isOftenForAHundred(currency: string | null): boolean {
  return OFTEN_FOR_A_HUNDRED.some((one) => one === currency);
}

function quotient(dividend: Decimal, divisor: Decimal): Decimal {
  const exact = divide(dividend, divisor, WORKING_DECIMALS);
  const surplus = exact.units.toString().length - RATE_DIGITS;
  return round(exact, Math.max(0, WORKING_DECIMALS - Math.max(0, surplus)));
}

function found({
  sourceCurrency,
  targetCurrency,
  operator,
  rate,
  sourceBaseRate,
  targetBaseRate,
}: ExchangeRate): string {
  const bases = [sourceBaseRate, targetBaseRate].some((base) => base !== null && base !== '1')
    ? `, ${sourceBaseRate ?? '1'} : ${targetBaseRate ?? '1'}`
    : '';
  return visibleText(`${sourceCurrency} → ${targetCurrency}, ${operator ?? 'Multiply'} ${rate}${bases}`, LONGEST_FOUND);
}

function positive(text: string | null): Decimal | null {
  const value = parseDecimal(text ?? '');
  return value === null || isZero(value) || isNegative(value) ? null : value;
}
