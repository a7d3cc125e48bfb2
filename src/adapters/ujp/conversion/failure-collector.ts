import { ConversionFailure } from './conversion-failure.ts';

/** A document with so many has been read carelessly as a whole: the rest would say nothing new. */
const MOST_FAILURES = 100;

/**
 * What becomes of the failures of a conversion. Delivery ends at the first one; a dry run keeps it and takes the next step that does
 * not depend on it. Both take the same steps in the same order, so the first failure is the same.
 */
export type FailureCollector = {
  /** The result of a step; null where it failed and the failure was kept. */
  readonly attempt: <Value>(step: () => Value) => Value | null;
  /** Keeps a failure that ended the conversion. */
  readonly keep: (failure: ConversionFailure) => void;
  /** Ends the conversion if a step has failed since so many had: what follows cannot be judged without its result. */
  readonly endIfAny: (since: number) => void;
  /** The results of steps, all of which have succeeded. */
  readonly complete: <Results extends object>(
    results: Results,
  ) => { readonly [Name in keyof Results]: NonNullable<Results[Name]> };
  readonly found: readonly ConversionFailure[];
};

export function createFailureCollector(after: 'end' | 'go on'): FailureCollector {
  const found: ConversionFailure[] = [];

  /** A step may consist of others, whose failures are kept already. */
  function keep(failure: ConversionFailure): void {
    if (!found.includes(failure)) found.push(failure);
  }

  function endIfAny(since: number): void {
    const last = found.at(-1);
    if (last !== undefined && found.length > since) throw last;
  }

  return {
    found,
    keep,
    endIfAny,
    attempt(step) {
      try {
        return step();
      } catch (failure) {
        if (!(failure instanceof ConversionFailure) || after === 'end') throw failure;
        keep(failure);
        if (found.length >= MOST_FAILURES) throw failure;
        return null;
      }
    },
    complete(results) {
      endIfAny(0);
      return results as { readonly [Name in keyof typeof results]: NonNullable<(typeof results)[Name]> };
    },
  };
}
