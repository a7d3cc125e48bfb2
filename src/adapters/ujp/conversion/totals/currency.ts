import type { InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { DENAR } from '../../../../domain/invoices/denar.ts';
import { ratesIntoDenars, type StatedRate } from '../../../../domain/invoices/stated-rate.ts';
import { message } from '../../../../domain/messages/message.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import {
  compare,
  type Decimal,
  formatShortest,
  multiply,
  ONE,
  parseDecimal,
} from '../../../../domain/values/decimal.ts';
import type { ServedExchangeRate } from '../conversion-context.ts';
import { excerpt, notExpressible } from '../conversion-failure.ts';

const TWO: Decimal = { units: 2n, scale: 0 };

export type DatedRate = { readonly rate: Decimal; readonly date: string };

export function documentCurrency({ currency, path }: InvoiceContent, currencies: readonly CodeListEntry[]): string {
  const elementPath = `${path}/cbc:DocumentCurrencyCode`;
  if (currency === null) notExpressible(message('currency-missing'), elementPath);
  if (currencies.some(({ code }) => code === currency)) return currency;
  const values = { code: excerpt(currency), list: 'currencies' };
  return notExpressible(message('currency-unlisted', values), elementPath);
}

/** Denars for one unit: the rate that the document states, else the National Bank's rate that was looked up. */
export function exchangeRate(
  content: InvoiceContent,
  currency: string,
  docDate: string,
  served: ServedExchangeRate | null,
): DatedRate {
  if (currency === DENAR) return { rate: ONE, date: docDate };
  const bank = served !== null && served.currency === currency ? served : null;
  const stated = statedRate(content, currency);
  if (stated !== null) {
    confirmRate(stated, currency, bank);
    return { rate: stated.rate, date: stated.date ?? docDate };
  }
  const path = `${content.path}/cac:PaymentExchangeRate`;
  const rate = parseDecimal(String(bank?.rate ?? ''));
  if (bank === null || rate === null) return notExpressible(message('rate-unknown', { currency }), path);
  if (bank.date === docDate) return { rate, date: docDate };
  return notExpressible(message('rate-of-other-day', { currency, date: bank.date, documentDate: docDate }), path);
}

/** The rate that the document states; null if it states none. The authority takes one: several must say the same. */
export function statedRate(content: InvoiceContent, currency: string): StatedRate | null {
  const { readable, unreadable } = ratesIntoDenars(content, currency);
  const [doubtful] = unreadable;
  if (doubtful !== undefined) {
    notExpressible(message('rate-unreadable', { found: doubtful.found, currency, denar: DENAR }), doubtful.path);
  }
  const [first, ...others] = readable;
  if (first === undefined) return null;
  const different = others.find(({ agreesWith }) => !agreesWith(first.rate));
  if (different !== undefined) {
    notExpressible(message('rates-several', { one: first.found, other: different.found }), different.path);
  }
  return first;
}

/**
 * A number that counts units for one denar is often meant the other way round, with direction or operator mixed up; one of an unusual size
 * may be the reverse or for a hundred units. The National Bank's rate tells: the readings are far apart, and no agreed rate is twice or half
 * of it.
 */
function confirmRate(stated: StatedRate, currency: string, bank: ServedExchangeRate | null): void {
  const { found, path, rate, isInverse, isUnusual } = stated;
  if (!isInverse && !isUnusual) return;
  const denar = DENAR;
  const official = parseDecimal(String(bank?.rate ?? ''));
  if (official === null) {
    if (isInverse) notExpressible(message('rate-unconfirmed', { found, currency, denar }), path);
    return;
  }
  const isNear = compare(rate, multiply(TWO, official)) <= 0 && compare(official, multiply(TWO, rate)) <= 0;
  if (isNear) return;
  const figures = { rate: formatShortest(rate), official: formatShortest(official) };
  notExpressible(message('rate-reversed', { found, currency, denar, ...figures }), path);
}
