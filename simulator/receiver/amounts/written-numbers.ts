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

/** What is wrong with the notation of numbers; what has no findings, with its numbers exactly as the sender wrote them. */
export type WrittenJson<T> = { readonly findings: readonly Finding[]; readonly exact: Exact<T> };

/**
 * Reads JSON without the errors of binary floating point. Numbers must be in plain decimal notation, as in all examples of the authority's
 * published reference (§3.7, §3.8); whether it also takes exponents is not published.
 */
export function readWritten<T>(json: string): WrittenJson<T> {
  const findings: Finding[] = [];
  const reviver: Reviver = (key, value, { source }) => {
    if (typeof value !== 'number') return value;
    const written = source ?? String(value);
    if (PLAIN.test(written) && written.length <= LONGEST_NUMBER) return decimal(written);
    const message = `${key} must be a plain decimal number of at most ${LONGEST_NUMBER} characters`;
    findings.push({ code: 'E4013', message, parameter: key });
    return value;
  };
  const exact = JSON.parse(json, reviver as (key: string, value: unknown) => unknown) as Exact<T>;
  return { findings, exact };
}
