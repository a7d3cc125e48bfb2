import type { MakeCall, WithSignal } from './call.ts';
import type { ChangesPage } from './generated/answers.ts';
import type { Settings } from './settings.ts';

export type Change = ChangesPage['items'][number];

export type ChangesOptions = WithSignal & {
  /** The cursor of the last entry that was taken over; without it the log begins with the first document ever. */
  readonly after?: string | null;
  /** How long a call waits for something new; up to 50. */
  readonly waitSeconds?: number;
};

export type FollowOptions = ChangesOptions & {
  /** Whether to wait for what is still to come; otherwise the iteration ends with the last entry there is. */
  readonly follow?: boolean;
};

const WAIT_SECONDS = 30;
const MS = 1_000;

export function createChanges(call: MakeCall, settings: Settings) {
  function readChanges({ after = null, waitSeconds = 0, signal }: ChangesOptions = {}): Promise<ChangesPage> {
    const query = { ...(after === null ? {} : { after }), ...(waitSeconds === 0 ? {} : { wait: waitSeconds }) };
    return call('readChanges', { query, signal }, { waitMs: waitSeconds * MS });
  }

  /**
   * Whole answers. Whoever takes one over and keeps its `next` in the same transaction has every change once. HTTP 410 means that
   * the log must be read again from its beginning.
   */
  const changePages = (options: FollowOptions = {}) => eachPage(readChanges, settings, options);

  /** One entry after the other; keep `cursor` of each together with what was made of it. */
  async function* changes(options: FollowOptions = {}): AsyncGenerator<Change, void> {
    for await (const { items } of changePages(options)) yield* items;
  }

  return { readChanges, changePages, changes };
}

async function* eachPage(
  readChanges: (options: ChangesOptions) => Promise<ChangesPage>,
  { now, pause }: Settings,
  { after: start = null, follow = true, waitSeconds = WAIT_SECONDS, signal }: FollowOptions,
): AsyncGenerator<ChangesPage, void> {
  let after = start;
  for (let isAtEnd = false; !isAtEnd || follow; ) {
    const asked = now();
    const page = await readChanges({ after, waitSeconds: isAtEnd ? waitSeconds : 0, signal });
    after = page.next ?? after;
    if (page.items.length > 0) yield page;
    // Something between here and the service that answers at once must not make a storm of calls.
    else if (isAtEnd) await pause(Math.max(0, asked + MS - now()), signal);
    isAtEnd = !page.hasMore;
  }
}
