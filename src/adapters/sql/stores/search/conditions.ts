import type { SqlValue } from '../../engine.ts';

/** Conditions that all must hold, with their parameters: `?` in a text stands for its value. */
export type Conditions = {
  readonly add: (text: string, ...values: readonly SqlValue[]) => void;
  /** The place of a parameter that no condition has. */
  readonly place: (value: SqlValue) => string;
  readonly text: () => string;
  readonly parameters: () => readonly SqlValue[];
};

export function conditions(): Conditions {
  const texts: string[] = [];
  const parameters: SqlValue[] = [];
  const place = (value: SqlValue) => `$${parameters.push(value)}`;
  return {
    place,
    add(text, ...values) {
      const rest = [...values];
      texts.push(text.replaceAll('?', () => place(rest.shift() ?? null)));
    },
    text: () => texts.join(' and '),
    parameters: () => parameters,
  };
}

/**
 * A select whose rows are found before they are put in order: they are few. PostgreSQL, which does not know that, would otherwise look at all
 * documents from the newest on until it has enough of them.
 */
export function apart(select: string): string {
  return `with found as materialized (${select}) select * from found`;
}
