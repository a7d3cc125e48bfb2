import { UnusableAnswer } from '../errors/authority-answers.ts';
import { AuthorityCallError, type CallErrorKind } from '../ports/authority.ts';

/** It would be so with everything else, and a token is locked by a few signatures that fail. */
const OF_THE_ACCOUNT: ReadonlySet<CallErrorKind> = new Set(['credentials', 'signing']);

/** Several things that the authority is asked for one after the other: none that fails keeps the others from being asked for. */
export type Tries = {
  readonly run: (work: () => Promise<void>, sentenceOf?: (error: AuthorityCallError) => string) => Promise<void>;
  /** False once nothing else would be answered either. */
  readonly mayGoOn: () => boolean;
  /** A sentence for each that failed. */
  readonly failures: readonly string[];
};

/** Whoever answers none of so many in a row answers no more. What another program has registered may be unreadable, all of it. */
export function createTries(mostInARow: number): Tries {
  const failures: string[] = [];
  let inARow = 0;
  let isOfAccount = false;
  return {
    failures,
    mayGoOn: () => inARow < mostInARow && !isOfAccount,
    async run(work, sentenceOf = ({ message }) => message) {
      try {
        await work();
        inARow = 0;
      } catch (error) {
        if (!(error instanceof AuthorityCallError)) throw error;
        failures.push(sentenceOf(error));
        inARow = error instanceof UnusableAnswer ? 0 : inARow + 1;
        isOfAccount = OF_THE_ACCOUNT.has(error.kind);
      }
    },
  };
}
