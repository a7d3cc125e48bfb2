import { authorityError } from '../authority-error.ts';
import { isDate, oneMonthAfter } from '../calendar.ts';
import type { JsonObject } from '../json-object.ts';

const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z?)?$/u;

export function textOf(body: JsonObject, member: string): string {
  const value = body[member];
  if (value === undefined || value === null || value === '') {
    const name = `${member.charAt(0).toUpperCase()}${member.slice(1)}`;
    throw authorityError('E4011', `${name} must not be null or empty string`, member);
  }
  if (typeof value !== 'string') throw authorityError('E4010', `${member} must be a string`, member);
  return value;
}

export function textsOf(body: JsonObject, member: string): readonly string[] {
  const value = body[member];
  if (!Array.isArray(value) || value.length === 0) throw authorityError('E4011', `${member} must not be empty`, member);
  return value.map((one) => textOf({ [member]: one }, member));
}

/** The day of a date, or of a date and time. */
export function dayOf(body: JsonObject, member: string): string {
  const text = textOf(body, member);
  const day = DATE_TIME.exec(text)?.[1] ?? '';
  if (!isDate(day)) throw authorityError('E4010', `${member} '${text}' is not a date`, member);
  return day;
}

/** A range of days, at most one month (the authority's published reference, §1.6). */
export function rangeOf(body: JsonObject): { readonly dateFrom: string; readonly dateTo: string } {
  const dateFrom = dayOf(body, 'dateFrom');
  const dateTo = dayOf(body, 'dateTo');
  if (dateTo < dateFrom) throw authorityError('E4000', 'dateTo is before dateFrom', 'dateTo');
  if (dateTo > oneMonthAfter(dateFrom))
    throw authorityError('E4014', 'Дозволениот временски опсег е 1 месец', 'dateTo');
  return { dateFrom, dateTo };
}
