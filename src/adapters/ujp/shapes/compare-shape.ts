import { isEuid } from '../../../domain/documents/euid.ts';
import { parseInstant } from '../../../domain/values/instant.ts';
import { quotedText, shortText } from '../../../domain/values/one-line-text.ts';
import { isJsonObject, type JsonObject, parseFlatJson } from '../answers/json-object.ts';
import type { Member, Shape } from './shape.ts';

export type DeviationKind = 'missing' | 'type' | 'format' | 'status' | 'content';

/** One way in which an answer is not as expected. */
export type Deviation = {
  readonly kind: DeviationKind;
  /** For example `taxGroupList[2].percent`; empty for the answer as a whole. */
  readonly path: string;
  readonly expected: string;
  /** Shortened, one line, without anything that acts on a terminal. It may be part of a document: not for logs. */
  readonly found: string;
  /** How many items of the same list deviate alike; the path names the first. */
  readonly times: number;
};

export type Comparison = {
  readonly deviations: readonly Deviation[];
  /** Members that are not in the shape. */
  readonly unknown: readonly string[];
};

type Found = Omit<Deviation, 'times'>;

const MAX_FOUND_LENGTH = 60;
const MAX_NAME_LENGTH = 40;
const SHOWN_MEMBERS = 5;
const DAY_LENGTH = 'YYYY-MM-DD'.length;
const INDEX = /\[\d+\]/gu;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/u;

const EXPECTED: Readonly<Record<Shape['kind'], string>> = {
  text: 'a text',
  number: 'a number',
  flag: 'true or false',
  date: 'a date such as 2026-11-15',
  'date-time': 'a date and time such as 2026-11-15T10:45:51',
  euid: 'an EUID',
  base64: 'base64',
  'json-text': 'a text that is JSON',
  anything: 'anything',
  list: 'a list',
  object: 'an object',
};

/** Compares a value of an answer with its shape. Deviations that repeat in the items of a list are one. */
export function compareShape(shape: Shape, value: unknown): Comparison {
  const found: Found[] = [];
  const unknown = new Set<string>();
  visit(shape, value, '');
  return { deviations: grouped(found), unknown: [...unknown] };

  function visit(expected: Shape, given: unknown, path: string): void {
    if (expected.kind === 'list' && Array.isArray(given)) {
      visitItems(expected, given, path);
    } else if (expected.kind === 'object' && isJsonObject(given)) {
      visitMembers(expected.members, given, path);
    } else {
      const kind = deviationOf(expected, given);
      if (kind !== null) found.push({ kind, path, expected: EXPECTED[expected.kind], found: describe(given) });
    }
  }

  function visitItems({ of, mayBeEmpty }: Shape & { kind: 'list' }, given: readonly unknown[], path: string): void {
    for (const [index, item] of given.entries()) visit(of, item, `${path}[${index}]`);
    if (given.length > 0 || mayBeEmpty) return;
    found.push({ kind: 'content', path, expected: 'a list with items', found: describe(given) });
  }

  function visitMembers(members: Readonly<Record<string, Member>>, given: JsonObject, path: string): void {
    for (const [name, { shape: expected, mayBeNull, mayBeMissing }] of Object.entries(members)) {
      const at = memberPath(path, name);
      if (Object.hasOwn(given, name)) {
        if (!(mayBeNull && given[name] === null)) visit(expected, given[name], at);
      } else if (!mayBeMissing) {
        found.push({ kind: 'missing', path: at, expected: EXPECTED[expected.kind], found: 'nothing' });
      }
    }
    for (const name of Object.keys(given).filter((one) => !Object.hasOwn(members, one))) {
      unknown.add(memberPath(path, shortText(name, MAX_NAME_LENGTH)).replaceAll(INDEX, '[]'));
    }
  }
}

function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function deviationOf({ kind }: Shape, value: unknown): DeviationKind | null {
  if (kind === 'anything') return null;
  if (kind === 'number') return typeof value === 'number' ? null : 'type';
  if (kind === 'flag') return typeof value === 'boolean' ? null : 'type';
  if (kind === 'list' || kind === 'object' || typeof value !== 'string') return 'type';
  return isFormatted(kind, value) ? null : 'format';
}

function isFormatted(kind: Shape['kind'], value: string): boolean {
  if (kind === 'date') return parseInstant(value, 'down') !== null;
  if (kind === 'date-time') return value.length > DAY_LENGTH && parseInstant(value, 'down') !== null;
  if (kind === 'euid') return isEuid(value);
  if (kind === 'base64') return BASE64.test(value);
  return kind !== 'json-text' || typeof parseFlatJson(value) === 'object';
}

function grouped(found: readonly Found[]): readonly Deviation[] {
  const alike = Map.groupBy(found, ({ kind, path }) => `${kind} ${path.replaceAll(INDEX, '[]')}`);
  return [...alike.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, times: 1 + others.length }],
  );
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `the text ${quotedText(value, MAX_FOUND_LENGTH)}`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (!isJsonObject(value)) return `${value}`;
  const names = Object.keys(value);
  const shown = names.slice(0, SHOWN_MEMBERS).join(', ');
  return shortText(`an object with ${names.length === 0 ? 'no members' : shown}`, MAX_FOUND_LENGTH);
}
