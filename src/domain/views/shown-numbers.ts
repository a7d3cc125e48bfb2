import type { Language } from '../messages/languages.ts';
import { viewWords } from '../messages/view-texts.ts';
import { format, leastScale, parseDecimal, round } from '../values/decimal.ts';
import { skopjeDateTime } from '../values/skopje-date-time.ts';

const AMOUNT_DECIMALS = 2;
const GROUP_DIGITS = 3;
/** Between an amount and its own currency. */
const CURRENCY_MARK = ' ';
/** Longer ones are no amounts. */
const MOST_DIGITS = 60;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/u;

/** An exact decimal as a reader of the language expects it, with all its digits; at least so many decimals. */
function decimalText(language: Language, value: string, leastDecimals: number): string {
  const stated = parseDecimal(value);
  if (stated === null || value.length > MOST_DIGITS) return value;
  const words = viewWords(language);
  const plain = format(round(stated, Math.max(leastDecimals, leastScale(stated))));
  const [whole = '', fraction] = plain.split('.');
  const grouped = inGroups(whole, words('group-mark'));
  return fraction === undefined ? grouped : `${grouped}${words('decimal-mark')}${fraction}`;
}

/** The digits before the decimal mark, with their sign, in groups. */
function inGroups(whole: string, mark: string): string {
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length);
  const first = digits.length % GROUP_DIGITS || GROUP_DIGITS;
  const groups = [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += GROUP_DIGITS) groups.push(digits.slice(at, at + GROUP_DIGITS));
  return `${sign}${groups.join(mark)}`;
}

export function amountText(language: Language, value: string): string {
  const [number = '', ...currency] = value.split(CURRENCY_MARK);
  return [decimalText(language, number, AMOUNT_DECIMALS), ...currency].join(CURRENCY_MARK);
}

/** An amount in another currency than that of its document. */
export function withCurrency(value: string, currency: string): string {
  return `${value}${CURRENCY_MARK}${currency}`;
}

export function statesCurrency(amount: string): boolean {
  return amount.includes(CURRENCY_MARK);
}

export function quantityText(language: Language, value: string): string {
  return decimalText(language, value, 0);
}

/** A day, `YYYY-MM-DD`, as the language writes it; as it stands where it is none. */
export function dateText(language: Language, date: string): string {
  const [, year = '', month = '', day = ''] = DATE.exec(date) ?? [];
  const words = viewWords(language);
  const name = words('months-short').split(' ')[Number(month) - 1];
  if (name === undefined) return date;
  const parts: Readonly<Record<string, string>> = { YYYY: year, MMM: name, MM: month, DD: day, D: String(Number(day)) };
  return words('date-form').replace(/YYYY|MMM|MM|DD|D/gu, (part) => parts[part] ?? part);
}

/** Date and time in Skopje, to the second. */
export function timeText(language: Language, timeMs: number): string {
  const [date = '', time = ''] = skopjeDateTime(timeMs).split(' ');
  return `${dateText(language, date)} ${time}`;
}
