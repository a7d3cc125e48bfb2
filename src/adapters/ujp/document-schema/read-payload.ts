import { isJsonObject, type JsonObject } from '../answers/json-object.ts';
import { type KnownPayload, PAYLOAD_MEMBERS } from './document-fields.ts';
import { ExactNumber, exactJsonText, parseExactJson } from './exact-json.ts';
import type { Field, FieldShape, Members } from './field.ts';

/** A member that the schema does not know; its value is JSON. */
export type UnknownMember = { readonly path: string; readonly value: string };

/** No known document has any; somebody may make one with millions. */
export type UnknownMembers = {
  readonly members: readonly UnknownMember[];
  /** How many more there are, and the first of their paths. */
  readonly further: number;
  readonly furtherPaths: readonly string[];
};

const MOST_UNKNOWN = 500;
/** As many as a comment can name. */
const MOST_NAMED = 20;

type Collected = { members: UnknownMember[]; further: number; furtherPaths: string[] };

/** What a member is not. */
export type Deviation = { readonly path: string; readonly expected: FieldShape['kind'] | 'missing' };

export type ReadPayload =
  | { readonly outcome: 'read'; readonly payload: KnownPayload; readonly unknown: UnknownMembers }
  | { readonly outcome: 'not-json' }
  | { readonly outcome: 'deviates'; readonly deviation: Deviation };

class Deviates extends Error {
  readonly deviation: Deviation;

  constructor(path: string, expected: Deviation['expected']) {
    super(path);
    this.deviation = { path, expected };
  }
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/u;

/** Reads the authority's document as the schema has it; members that are not there are null. */
export function readPayload(bytes: Uint8Array): ReadPayload {
  const parsed = parseExactJson(bytes);
  if (parsed === null) return { outcome: 'not-json' };
  const unknown: Collected = { members: [], further: 0, furtherPaths: [] };
  try {
    const payload = readMembers(parsed.value, PAYLOAD_MEMBERS, '', unknown) as KnownPayload;
    return { outcome: 'read', payload, unknown };
  } catch (error) {
    if (!(error instanceof Deviates)) throw error;
    return { outcome: 'deviates', deviation: error.deviation };
  }
}

function readMembers(value: unknown, members: Members, path: string, unknown: Collected): JsonObject {
  if (!isObject(value)) throw new Deviates(path, 'object');
  const below = path === '' ? '' : `${path}/`;
  for (const [name, member] of Object.entries(value)) {
    if (!Object.hasOwn(members, name)) collect(unknown, `${below}${name}`, member);
  }
  const read = Object.entries(members).map(([name, field]) => {
    const own = Object.hasOwn(value, name) ? value[name] : null;
    return [name, readField(own ?? null, field, `${below}${name}`, unknown)] as const;
  });
  return Object.fromEntries(read);
}

function collect(unknown: Collected, path: string, member: unknown): void {
  if (unknown.members.length < MOST_UNKNOWN) unknown.members.push({ path, value: exactJsonText(member) });
  else {
    unknown.further += 1;
    if (unknown.furtherPaths.length < MOST_NAMED) unknown.furtherPaths.push(path);
  }
}

function readField(value: unknown, field: Field<unknown>, path: string, unknown: Collected): unknown {
  const { shape, isRequired } = field;
  if (value === null || (value === '' && isRequired)) {
    if (isRequired) throw new Deviates(path, 'missing');
    return null;
  }
  switch (shape.kind) {
    case 'object':
      return readMembers(value, shape.members, path, unknown);
    case 'list':
      return readList(value, shape, path, unknown);
    case 'anything':
      return value;
    default:
      return readValue(value, shape, path);
  }
}

function readList(
  value: unknown,
  shape: Extract<FieldShape, { readonly kind: 'list' }>,
  path: string,
  unknown: Collected,
): unknown {
  if (!Array.isArray(value)) throw new Deviates(path, 'list');
  if (value.length === 0 && !shape.mayBeEmpty) throw new Deviates(path, 'missing');
  return value.map((row, index) => readMembers(row, shape.members, `${path}/${index + 1}`, unknown));
}

function readValue(value: unknown, shape: FieldShape, path: string): unknown {
  if (shape.kind === 'number' && value instanceof ExactNumber) return value.decimal;
  if (shape.kind === 'whole' && value instanceof ExactNumber) {
    const count = Number(value.decimal.units) / 10 ** value.decimal.scale;
    if (Number.isInteger(count) && count >= shape.least && count <= shape.most) return count;
  }
  if (shape.kind === 'text' && typeof value === 'string') return value;
  if (shape.kind === 'date' && typeof value === 'string' && isDate(value)) return value;
  throw new Deviates(path, shape.kind);
}

function isObject(value: unknown): value is JsonObject {
  return isJsonObject(value) && !(value instanceof ExactNumber);
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return (
    year !== '' && Number(year) > 0 && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  );
}
