import { UnusableAnswer } from '../errors/authority-answers.ts';
import { AuthorityCallError, type CallErrorKind } from '../ports/authority.ts';

/** It would be so with everything else, and a token is locked by a few signatures that fail. */
export const OF_THE_ACCOUNT: ReadonlySet<CallErrorKind> = new Set(['credentials', 'signing']);
/** Nothing came at all, which costs the whole time limit each time. */
export const SILENCE: ReadonlySet<CallErrorKind> = new Set(['unreachable', 'timeout']);

type Tried<Item> = {
  readonly failed: readonly { readonly item: Item; readonly error: AuthorityCallError }[];
  /** For which nothing was asked any more. */
  readonly untried: readonly Item[];
};

/**
 * Asks the authority for several things one after the other: none that fails keeps the others from being asked for. Whoever fails on so many in a row
 * may fail on these for good: the others are asked for from the last one back, until as many fail. Whoever answers none of so many in a row
 * answers no more. What another program has registered may be unreadable, all of it.
 */
export async function tryEach<Item>(
  items: readonly Item[],
  mostInARow: number,
  work: (item: Item) => Promise<void>,
): Promise<Tried<Item>> {
  const failed: Tried<Item>['failed'][number][] = [];
  const untried = [...items];
  let inARow = 0;
  let isFromTheEnd = false;
  for (;;) {
    const item = isFromTheEnd ? untried.pop() : untried.shift();
    if (item === undefined) break;
    const error = await failureOf(work(item));
    if (error !== null) failed.push({ item, error });
    inARow = error === null || error instanceof UnusableAnswer ? 0 : inARow + 1;
    const isInVain = inARow === mostInARow;
    if (error !== null && mayEnd(error, isInVain, isFromTheEnd)) break;
    if (!isInVain) continue;
    isFromTheEnd = true;
    inARow = 0;
  }
  return { failed, untried };
}

function mayEnd({ kind }: AuthorityCallError, isInVain: boolean, isFromTheEnd: boolean): boolean {
  return OF_THE_ACCOUNT.has(kind) || (isInVain && (isFromTheEnd || SILENCE.has(kind)));
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
