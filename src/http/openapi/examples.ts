import type { ErrorCode } from '../../application/errors/problem-catalogue.ts';
import type { TSchema } from '../json-schema.ts';
import captured from './examples.json' with { type: 'json' };

/**
 * What the demo environment answers, made by `npm run examples`. A test makes the same calls and fails when an answer differs from
 * what is written down.
 */
type Captured = {
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly bodies: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, unknown>>;
};

const { answers, bodies, errors }: Captured = captured;

const ROOT = '#/components/examples/';

export function answerExamples(operationId: string, status: number): TSchema {
  return answers[operationId]?.[status] === undefined ? {} : named([`${operationId}-${status}`]);
}

export function errorExamples(codes: readonly ErrorCode[]): TSchema {
  return named(codes.filter((code) => errors[code] !== undefined));
}

export function bodyExample(operationId: string): TSchema {
  return bodies[operationId] === undefined ? {} : named([`${operationId}-body`]);
}

function named(names: readonly string[]): TSchema {
  if (names.length === 0) return {};
  return { examples: Object.fromEntries(names.map((name) => [name, { $ref: `${ROOT}${name}` }])) };
}

/** The examples that a description refers to, as its components. */
export function exampleComponents(isUsed: (reference: string) => boolean): Readonly<Record<string, TSchema>> {
  const all: readonly (readonly [string, unknown])[] = [
    ...Object.entries(answers).flatMap(([operationId, byStatus]) =>
      Object.entries(byStatus).map(([status, value]) => [`${operationId}-${status}`, value] as const),
    ),
    ...Object.entries(bodies).map(([operationId, text]) => [`${operationId}-body`, text] as const),
    ...Object.entries(errors),
  ];
  return Object.fromEntries(all.filter(([name]) => isUsed(`${ROOT}${name}`)).map(([name, value]) => [name, { value }]));
}
