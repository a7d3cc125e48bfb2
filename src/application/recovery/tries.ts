import { UnusableAnswer } from '../errors/authority-answers.ts';
import { AuthorityCallError, type CallErrorKind } from '../ports/authority.ts';

/** It would be so with everything else, and a token is locked by a few signatures that fail. */
export const OF_THE_ACCOUNT: ReadonlySet<CallErrorKind> = new Set(['credentials', 'signing']);

type Tried<Item> = {
  readonly failed: readonly { readonly item: Item; readonly error: AuthorityCallError }[];
  /** For which nothing was asked any more. */
  readonly untried: readonly Item[];
};

/**
 * Asks the authority for several things one after the other: none that fails keeps the others from being asked for. Whoever fails on so many in a row,
 * or does not give them in time, may do so with these for good: the others are asked for from the last one back, until as many fail. What another
 * program has registered may be unreadable, all of it.
 */
export async function tryEach<Item>(
  items: readonly Item[],
  mostInARow: number,
  work: (item: Item) => Promise<void>,
): Promise<Tried<Item>> {
  const failed: Tried<Item>['failed'][number][] = [];
  const untried = [...items];

  /** Until nothing is left, or so many in a row have failed. False where all else would fail too. */
  async function tryNext(next: () => Item | undefined): Promise<boolean> {
    let inARow = 0;
    while (inARow < mostInARow) {
      const item = next();
      if (item === undefined) break;
      const error = await failureOf(work(item));
      inARow = error === null || error instanceof UnusableAnswer ? 0 : inARow + 1;
      if (error === null) continue;
      failed.push({ item, error });
      if (OF_THE_ACCOUNT.has(error.kind)) return false;
    }
    return true;
  }

  if (await tryNext(() => untried.shift())) await tryNext(() => untried.pop());
  return { failed, untried };
}

/** Null for success. */
export async function failureOf(work: Promise<void>): Promise<AuthorityCallError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof AuthorityCallError) return error;
    throw error;
  }
}
