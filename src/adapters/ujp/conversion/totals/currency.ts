import type { ExchangeRate, InvoiceContent } from '../../../../domain/documents/invoice-content.ts';
import { message } from '../../../../domain/messages/message.ts';
import type { CodeListEntry } from '../../../../domain/values/code-list.ts';
import {
  compare,
  type Decimal,
  divide,
  isNegative,
  isZero,
  ONE,
  parseDecimal,
} from '../../../../domain/values/decimal.ts';
import type { ServedExchangeRate } from '../conversion-context.ts';
import { excerpt, notExpressible } from '../conversion-failure.ts';
import { DENAR } from './money.ts';

/** Decimals added when a rate for many units is divided down to one unit. */
const RATE_DECIMALS = 6;

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
  const stated = statedRate(content, currency);
  if (stated !== null) return { rate: stated.rate, date: stated.date ?? docDate };
  const rate = served !== null && served.currency === currency ? parseDecimal(String(served.rate)) : null;
  if (served !== null && rate !== null) {
    if (served.date === docDate) return { rate, date: docDate };
    const values = { currency, date: served.date, documentDate: docDate };
    notExpressible(message('rate-of-other-day', values), `${content.path}/cac:PaymentExchangeRate`);
  }
  return notExpressible(message('rate-unknown', { currency }), `${content.path}/cac:PaymentExchangeRate`);
}

/** A usable rate of the document: from its currency into denars, to be multiplied. */
export function statedRate(
  { exchangeRates }: InvoiceContent,
  currency: string,
): { readonly rate: Decimal; readonly date: string | null } | null {
  for (const stated of exchangeRates) {
    const rate = stated.sourceCurrency === currency && stated.targetCurrency === DENAR ? ratePerUnit(stated) : null;
    if (rate !== null) return { rate, date: stated.date };
  }
  return null;
}

/** Some currencies are quoted for a hundred units: the base rate states for how many. */
function ratePerUnit({ rate, operator, sourceBaseRate, targetBaseRate }: ExchangeRate): Decimal | null {
  const isMultiplied = operator === null || /^mul/iu.test(operator);
  const value = positive(rate);
  const units = sourceBaseRate === null ? ONE : positive(sourceBaseRate);
  const denars = targetBaseRate === null ? ONE : positive(targetBaseRate);
  if (!isMultiplied || value === null || units === null || denars === null || compare(denars, ONE) !== 0) return null;
  return compare(units, ONE) === 0 ? value : divide(value, units, value.scale + RATE_DECIMALS);
}

function positive(text: string | null): Decimal | null {
  const value = parseDecimal(text ?? '');
  return value === null || isZero(value) || isNegative(value) ? null : value;
}
