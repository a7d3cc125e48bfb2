import { problem } from '../../application/errors/problem.ts';
import { LANGUAGES, type Language } from '../../domain/messages/languages.ts';
import { type Message, message } from '../../domain/messages/message.ts';
import { visibleText } from '../../domain/values/one-line-text.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../domain/values/page.ts';
import { parseTimeLimit } from '../../domain/values/skopje-day.ts';
import { httpProblem } from '../answers/problem-response.ts';
import { type TSchema, Type } from '../json-schema.ts';
import { queryAt } from './decodable-url.ts';

/** A query parameter: its schema and how it is read. Blank values are left out before: they mean no filter. */
export type Parameter<Value> = {
  readonly schema: TSchema;
  readonly read: (name: string, values: readonly string[]) => Value;
  /** Whether it may also be written `name[]`, as some clients write lists. */
  readonly isList?: boolean;
};

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type QueryValues<P extends Parameters> = { readonly [Name in keyof P]: ReturnType<P[Name]['read']> };

const LEAST_INT32 = -2_147_483_648;
const MOST_INT32 = 2_147_483_647;
const WHOLE_NUMBER = /^\+?\d+$/u;
const MAX_QUOTE_LENGTH = 60;

/** Names are read without regard to case and to blanks around them. An unknown name is refused: ignored, a misspelt filter would return everything. */
export function readQuery<P extends Parameters>(
  parameters: P,
  { url, query }: { readonly url: string; readonly query: unknown },
): QueryValues<P> {
  const given = Object.entries(query as Record<string, string | string[]>).map(([name, values]) => ({
    name: parameterNamed(parameters, name),
    values: [values].flat().filter((value) => value.trim() !== ''),
  }));
  const undecodable = undecodableName(url);
  if (undecodable !== null) throw invalid(parameterNamed(parameters, undecodable), message('percent-encoded'));
  const entries = Object.entries(parameters).map(([name, parameter]) => {
    const values = given.filter((one) => one.name === name).flatMap((one) => one.values);
    return [name, parameter.read(name, values)];
  });
  return Object.fromEntries(entries) as QueryValues<P>;
}

/** The framework leaves a value that cannot be decoded as it is: looked for like that, no document would be found. */
function undecodableName(url: string): string | null {
  const pairs = url.includes('%') ? url.slice(queryAt(url) + 1).split('&') : [];
  const found = pairs.find((pair) => !isDecodable(pair));
  return found === undefined ? null : decodeURIComponent(found.slice(0, found.indexOf('=')));
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function parameterNamed(parameters: Parameters, given: string): string {
  const wanted = given.trim().toLowerCase();
  const found = Object.entries(parameters).find(
    ([name, { isList }]) => wanted === name.toLowerCase() || (isList === true && wanted === `${name.toLowerCase()}[]`),
  );
  if (found !== undefined) return found[0];
  const names = Object.keys(parameters);
  const name = message('quotation', { text: visibleText(given, MAX_QUOTE_LENGTH) });
  if (names.length === 0) throw httpProblem(400, message('no-parameters', { name }));
  throw httpProblem(400, message('parameter-unknown', { name, names: names.join(', ') }));
}

/** A time limit, inclusive. A lower limit is rounded up to a millisecond, an upper one down, so that both stay exact. */
export function instant(bound: 'from' | 'to', description: string): Parameter<number | null> {
  return {
    schema: Type.String({ format: 'date-time', description }),
    read(name, values) {
      const text = single(name, values);
      if (text === null) return null;
      // A plus sign that was not percent-encoded arrives as a space: 2026-01-01T00:00:00 02:00.
      const withPlus = text.replace(/ (\d{2}:\d{2})$/u, '+$1');
      const value = parseTimeLimit(withPlus, bound) ?? parseTimeLimit(text, bound);
      if (value === null) throw invalid(name, message('an-instant', { example: '2026-01-31T08:00:00Z' }));
      return value;
    },
  };
}

export function integers(description: string): Parameter<readonly number[] | null> {
  return {
    schema: Type.Array(Type.Integer({ format: 'int32' }), { description }),
    isList: true,
    read(name, values) {
      const texts = values.flatMap((text) => text.split(',')).filter((text) => text.trim() !== '');
      return texts.length === 0 ? null : texts.map((text) => integer(name, text.trim()));
    },
  };
}

export function flag(description: string): Parameter<boolean> {
  return {
    schema: Type.Boolean({ description, default: false }),
    read(name, values) {
      const text = single(name, values)?.toLowerCase() ?? 'false';
      if (text !== 'true' && text !== 'false') throw invalid(name, message('true-or-false'));
      return text === 'true';
    },
  };
}

export function taxNumber(description: string): Parameter<string | null> {
  return {
    schema: Type.String({ description }),
    read(name, values) {
      return single(name, values)?.trim() ?? null;
    },
  };
}

/** Up to a maximum, so that nobody keeps a call open for longer. */
export function seconds(description: string, most: number): Parameter<number> {
  return {
    schema: Type.Integer({ format: 'int32', minimum: 0, maximum: most, default: 0, description }),
    read(name, values) {
      const value = integer(name, single(name, values) ?? '0', 0);
      if (value > most) throw invalid(name, message('at-most', { most }));
      return value;
    },
  };
}

/** At least one, up to a maximum. */
export function hours(
  description: string,
  { most, otherwise }: { readonly most: number; readonly otherwise: number },
): Parameter<number> {
  return {
    schema: Type.Integer({ format: 'int32', minimum: 1, maximum: most, default: otherwise, description }),
    read(name, values) {
      const value = integer(name, single(name, values) ?? String(otherwise), 1);
      if (value > most) throw invalid(name, message('at-most', { most }));
      return value;
    },
  };
}

/** One of those that there are; null where none is asked for. */
export function language(description: string): Parameter<Language | null> {
  return {
    schema: Type.String({ description, enum: [...LANGUAGES] }),
    read(name, values) {
      const asked = single(name, values)?.trim().toLowerCase() ?? null;
      const known = LANGUAGES.find((one) => one === asked) ?? null;
      if (asked !== null && known === null) {
        throw invalid(name, message('a-language', { languages: LANGUAGES.join(', ') }));
      }
      return known;
    },
  };
}

export function text(description: string): Parameter<string | null> {
  return { schema: Type.String({ description }), read: (name, values) => single(name, values) };
}

export function choice(description: string, choices: readonly string[], defaultValue: string): Parameter<string> {
  return {
    schema: Type.String({ description, enum: [...choices], default: defaultValue }),
    read: (name, values) => single(name, values) ?? defaultValue,
  };
}

export const page: Parameter<number> = {
  schema: Type.Integer({ format: 'int32', minimum: 1, default: 1, description: 'Which page; the first is 1.' }),
  read: (name, values) => integer(name, single(name, values) ?? '1', 1),
};

export const pageSize: Parameter<number> = {
  schema: Type.Integer({
    format: 'int32',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
    description: 'How many documents a page has at most.',
  }),
  read(name, values) {
    const text = single(name, values) ?? String(DEFAULT_PAGE_SIZE);
    // Before it is read as an int32: however large, it is a page size above the maximum.
    if (WHOLE_NUMBER.test(text) && Number(text) > MAX_PAGE_SIZE) {
      throw problem('ERR-3005', message('page-too-large', { most: MAX_PAGE_SIZE }));
    }
    return integer(name, text, 1);
  },
};

function single(name: string, values: readonly string[]): string | null {
  if (values.length > 1) throw invalid(name, message('given-once'));
  return values[0] ?? null;
}

function integer(name: string, text: string, least = LEAST_INT32): number {
  if (!/^[+-]?\d+$/u.test(text)) throw invalid(name, message('some-whole-number'));
  const value = Number(text);
  if (value < least) throw invalid(name, message('at-least', { least }));
  if (value > MOST_INT32) throw invalid(name, message('at-most', { most: MOST_INT32 }));
  return value;
}

function invalid(name: string, expected: Message) {
  return httpProblem(400, message('parameter-unusable', { name, expected }));
}
