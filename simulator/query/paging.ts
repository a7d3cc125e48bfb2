import { authorityError } from '../authority-error.ts';
import type { JsonObject } from '../json-object.ts';

const DEFAULT_SIZE = 20;

/** One page of a list, sorted by any member of its items; the first page is 0. */
export function pageOf(items: readonly JsonObject[], body: JsonObject): JsonObject {
  const pageNumber = wholeNumber(body, 'page', 0, 0);
  const pageSize = wholeNumber(body, 'size', DEFAULT_SIZE, 1);
  const totalPages = Math.ceil(items.length / pageSize);
  const start = pageNumber * pageSize;
  return {
    content: sorted(items, body).slice(start, start + pageSize),
    pageNumber,
    pageSize,
    totalElements: items.length,
    totalPages,
    last: pageNumber >= totalPages - 1,
  };
}

function sorted(items: readonly JsonObject[], { sortBy = null, sortDirection = 'ASC' }: JsonObject) {
  if (sortDirection !== 'ASC' && sortDirection !== 'DESC') {
    throw authorityError('E4010', 'sortDirection must be ASC or DESC', 'sortDirection');
  }
  const ordered = items.some((item) => item[String(sortBy)] !== undefined)
    ? items.toSorted((one, other) => compare(one[String(sortBy)], other[String(sortBy)]))
    : items;
  return sortDirection === 'ASC' ? ordered : ordered.toReversed();
}

function compare(one: unknown, other: unknown): number {
  const [first, second] = [String(one), String(other)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

function wholeNumber(body: JsonObject, member: string, otherwise: number, least: number): number {
  const value = body[member] ?? otherwise;
  if (!Number.isInteger(value) || Number(value) < least) {
    throw authorityError('E4010', `${member} must be a whole number from ${least}`, member);
  }
  return Number(value);
}
