import type { Finding } from '../../authority-error.ts';
import { type Decimal, decimal } from './decimal.ts';

/** T with an exact decimal for each number. */
export type Exact<T> = T extends number
  ? Decimal
  : T extends readonly (infer Item)[]
    ? readonly Exact<Item>[]
    : T extends object
      ? { readonly [Member in keyof T]: Exact<T[Member]> }
      : T;

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Chosen, for no such limit is published: more digits than any amount has. */
const LONGEST_NUMBER = 40;
const PLAIN = /^-?\d+(?:\.\d+)?$/u;

/**
 * Numbers must be in plain decimal notation, as in all examples of the authority's published reference (§3.7, §3.8); whether it
 * also takes exponents is not published.
 */
export function checkNotation(json: string): readonly Finding[] {
  const findings: Finding[] = [];
  parseWritten(json, (source, member) => {
    if (PLAIN.test(source) && source.length <= LONGEST_NUMBER) return;
    const message = `${member} must be a plain decimal number of at most ${LONGEST_NUMBER} characters`;
    findings.push({ code: 'E4013', message, parameter: member });
  });
  return findings;
}

/** Reads JSON with the numbers exactly as the sender wrote them, without the errors of binary floating point. */
export function parseExact<T>(json: string): Exact<T> {
  return parseWritten(json, decimal) as Exact<T>;
}

function parseWritten(json: string, read: (source: string, member: string) => unknown): unknown {
  const reviver: Reviver = (key, value, { source }) => {
    return typeof value === 'number' ? read(source ?? String(value), key) : value;
  };
  return JSON.parse(json, reviver as (key: string, value: unknown) => unknown);
}
