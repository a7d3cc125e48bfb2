import type { Finding } from '../../authority-error.ts';
import { isDate } from '../../calendar.ts';
import { asObject } from '../../json-object.ts';

type Report = (finding: Finding) => void;

/** A check of a JSON value; T is the type of a value that passes it. */
export type Schema<T> = { readonly check: (value: unknown, path: string, report: Report) => void; readonly type?: T };
export type Field<T> = Schema<T> & { readonly mandatory: boolean };
export type ObjectFields = Readonly<Record<string, Field<unknown>>>;
export type ValueOf<S extends ObjectFields> = { readonly [K in keyof S]: S[K] extends Field<infer T> ? T : never };

export function mandatory<T>(schema: Schema<T>): Field<T> {
  return { check: schema.check, mandatory: true };
}

/** May be null, as in the authority's own examples, or absent (its published reference, §3.1). */
export function optional<T>(schema: Schema<T>): Field<T | null | undefined> {
  return { check: schema.check, mandatory: false };
}

function valueSchema<T>(what: string, isRight: (value: unknown) => boolean): Schema<T> {
  return {
    check: (value, path, report) => {
      if (!isRight(value)) report({ code: 'E4013', message: `${path} must be ${what}`, parameter: path });
    },
  };
}

export function text(maxLength: number): Schema<string> {
  return valueSchema(`a text of at most ${maxLength} characters`, (value) => {
    return typeof value === 'string' && [...value].length <= maxLength;
  });
}

export const number: Schema<number> = valueSchema('a number', Number.isFinite);
export const date: Schema<string> = valueSchema(
  'a date YYYY-MM-DD',
  (value) => typeof value === 'string' && isDate(value),
);

export function integer(least: number, most: number): Schema<number> {
  return valueSchema(`a whole number from ${least} to ${most}`, (value) => {
    return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  });
}

export function list<T>(item: Schema<T>): Schema<readonly T[]> {
  return {
    check: (value, path, report) => {
      if (!Array.isArray(value)) return report({ code: 'E4013', message: `${path} must be an array`, parameter: path });
      value.forEach((one, index) => void item.check(one, `${path}[${index}]`, report));
    },
  };
}

export const anyObject: Schema<object> = valueSchema('an object', (value) => asObject(value) !== null);

export function object<S extends ObjectFields>(fields: S): Schema<ValueOf<S>> {
  return {
    check: (value, path, report) => {
      const members = asObject(value);
      if (members === null) return report({ code: 'E4013', message: `${path} must be an object`, parameter: path });
      const prefix = path === '' ? '' : `${path}.`;
      for (const [name, member] of Object.entries(fields)) {
        checkField(member, members[name], `${prefix}${name}`, report);
      }
      for (const name of Object.keys(members)) {
        if (Object.hasOwn(fields, name)) continue;
        report({ code: 'E4013', message: `${prefix}${name} is not known`, parameter: `${prefix}${name}` });
      }
    },
  };
}

function checkField(member: Field<unknown>, value: unknown, path: string, report: Report): void {
  const isMissing = value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
  if (!isMissing) member.check(value, path, report);
  else if (member.mandatory) report({ code: 'E4019', message: `${path} is required`, parameter: path });
}

export function validate(schema: Schema<unknown>, value: unknown): readonly Finding[] {
  const findings: Finding[] = [];
  schema.check(value, '', (finding) => findings.push(finding));
  return findings;
}
