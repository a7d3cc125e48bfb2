import { isDate } from '../../calendar.ts';
import { asObject } from '../../json-object.ts';
import type { Finding } from '../../refusal.ts';

type Report = (finding: Finding) => void;

/** What a value must look like; the type is what is known of it afterwards. */
export type Kind<T> = { readonly check: (value: unknown, path: string, report: Report) => void; readonly reads?: T };
export type Member<T> = Kind<T> & { readonly mandatory: boolean };
export type Shape = Readonly<Record<string, Member<unknown>>>;
export type Read<S extends Shape> = { readonly [K in keyof S]: S[K] extends Member<infer T> ? T : never };

export function mandatory<T>(kind: Kind<T>): Member<T> {
  return { check: kind.check, mandatory: true };
}

/** The authority's own examples write null for what they leave out; leaving out the member works as well. */
export function optional<T>(kind: Kind<T>): Member<T | null | undefined> {
  return { check: kind.check, mandatory: false };
}

function kind<T>(what: string, isRight: (value: unknown) => boolean): Kind<T> {
  return {
    check: (value, path, report) => {
      if (!isRight(value)) report({ code: 'E4013', message: `${path} must be ${what}`, parameter: path });
    },
  };
}

export function text(maxLength: number): Kind<string> {
  return kind(`a text of at most ${maxLength} characters`, (value) => {
    return typeof value === 'string' && [...value].length <= maxLength;
  });
}

export const number: Kind<number> = kind('a number', Number.isFinite);
export const date: Kind<string> = kind('a date YYYY-MM-DD', (value) => typeof value === 'string' && isDate(value));

export function integer(least: number, most: number): Kind<number> {
  return kind(`a whole number from ${least} to ${most}`, (value) => {
    return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  });
}

export function list<T>(item: Kind<T>): Kind<readonly T[]> {
  return {
    check: (value, path, report) => {
      if (!Array.isArray(value)) return report({ code: 'E4013', message: `${path} must be an array`, parameter: path });
      value.forEach((one, index) => void item.check(one, `${path}[${index}]`, report));
    },
  };
}

export const anyObject: Kind<object> = kind('an object', (value) => asObject(value) !== null);

export function object<S extends Shape>(shape: S): Kind<Read<S>> {
  return {
    check: (value, path, report) => {
      const members = asObject(value);
      if (members === null) return report({ code: 'E4013', message: `${path} must be an object`, parameter: path });
      const prefix = path === '' ? '' : `${path}.`;
      for (const [name, member] of Object.entries(shape)) {
        checkMember(member, members[name], `${prefix}${name}`, report);
      }
      for (const name of Object.keys(members)) {
        if (Object.hasOwn(shape, name)) continue;
        report({ code: 'E4013', message: `${prefix}${name} is not known`, parameter: `${prefix}${name}` });
      }
    },
  };
}

function checkMember(member: Member<unknown>, value: unknown, path: string, report: Report): void {
  const isMissing = value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
  if (!isMissing) member.check(value, path, report);
  else if (member.mandatory) report({ code: 'E4019', message: `${path} is required`, parameter: path });
}

export function findingsIn(kindOf: Kind<unknown>, value: unknown): readonly Finding[] {
  const findings: Finding[] = [];
  kindOf.check(value, '', (finding) => findings.push(finding));
  return findings;
}
