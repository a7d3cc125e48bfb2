import type { Timers } from '../../../../application/ports/platform.ts';
import type { Semaphore } from '../../../threads/semaphore.ts';
import { writerHangs } from '../failure.ts';
import { MAX_WAIT_MS } from '../group-commit.ts';

type Work<Result> = () => Promise<Result>;

/**
 * Turns at the write lock for threads, which open the file by its name: whoever has one knows that the right file is in its place. Nobody
 * waits for ever: what has not begun after a minute is not done.
 */
export type ThreadTurns = {
  readonly run: <Result>(owner: string, work: Work<Result>) => Promise<Result>;
  /**
   * The same for what a thread does one after the other. As long as nobody else waits, what comes while it works shares its turn: the thread
   * has it at once, and need not wait for this one when it is done with the work before. Where another file is in the place it waits for a
   * turn of its own, in which that is told.
   */
  readonly share: <Result>(owner: string, work: Work<Result>) => Promise<Result>;
  /** For who has no turn. */
  readonly isInPlace: () => boolean;
};

type Needs = {
  readonly writeLock: Semaphore;
  readonly isInPlace: () => boolean;
  /** Fails where another file is in the place of the database, and empties the log then: nobody may write to it meanwhile. */
  readonly requireInPlace: () => void;
  readonly timers: Timers;
};

type SharedTurn = { works: number; readonly end: () => void };

export function createThreadTurns({ writeLock, isInPlace, requireInPlace, timers }: Needs): ThreadTurns {
  const shared = new Map<string, SharedTurn>();

  function run<Result>(owner: string, work: Work<Result>): Promise<Result> {
    const waiting = new AbortController();
    const timer = timers.after(MAX_WAIT_MS, () => waiting.abort(writerHangs()));
    const workInPlace = async () => {
      timer.cancel();
      requireInPlace();
      return work();
    };
    return writeLock.run(owner, workInPlace, waiting.signal);
  }

  /** Resolves when it has begun. It ends with the last work that shares it. */
  function begin(owner: string): Promise<SharedTurn> {
    const { promise, resolve, reject } = Promise.withResolvers<SharedTurn>();
    run(owner, async () => {
      const ended = Promise.withResolvers<void>();
      const turn = { works: 1, end: ended.resolve };
      shared.set(owner, turn);
      resolve(turn);
      await ended.promise;
    }).catch(reject);
    return promise;
  }

  function join(owner: string): SharedTurn | null {
    const turn = shared.get(owner) ?? null;
    if (turn === null || writeLock.isAwaited() || !isInPlace()) return null;
    turn.works += 1;
    return turn;
  }

  function leave(owner: string, turn: SharedTurn): void {
    turn.works -= 1;
    if (turn.works > 0) return;
    shared.delete(owner);
    turn.end();
  }

  return {
    run,
    async share(owner, work) {
      const turn = join(owner) ?? (await begin(owner));
      try {
        return await work();
      } finally {
        leave(owner, turn);
      }
    },
    isInPlace,
  };
}
