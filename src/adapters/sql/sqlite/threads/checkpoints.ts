import type { Timers } from '../../../../application/ports/platform.ts';
import { createThreadPool, type ThreadPool } from '../../../threads/thread-pool.ts';
import { createUnderWay } from '../../../threads/under-way.ts';
import type { CheckpointOrder } from './checkpoint-thread.ts';
import type { ThreadTurns } from './thread-turns.ts';

/** Some ten pages of the log each: a quarter of what may gather there before SQLite stops the writer for a checkpoint. */
const TRANSACTIONS = 200;
/** Fewer in this time hardly ever meet a checkpoint, and are not worth a thread. */
const BURST_MS = 2_000;
/**
 * Before it, a checkpoint that began right behind another one, while a commit began the log anew, could lose pages: SQLite's "WAL-reset bug".
 * With an older one, as of a Node that the machine has, the chance is not taken.
 */
const FIRST_SAFE_VERSION = [3, 51, 3];
/** Processor time, far more than the copying of a whole log takes. */
const TIMEOUT_MS = 30_000;

export type Checkpoints = {
  /** Hears how many transactions were just committed. */
  readonly committed: (transactions: number) => void;
  readonly close: () => Promise<void>;
};

type Needs = {
  readonly path: string;
  readonly timers: Timers;
  readonly turns: ThreadTurns;
};

export function isSafeBesideOthers(version: string): boolean {
  const numbers = version.split('.').map(Number);
  const differing = FIRST_SAFE_VERSION.findIndex((number, at) => numbers[at] !== number);
  return differing === -1 || (numbers[differing] ?? 0) > (FIRST_SAFE_VERSION[differing] ?? 0);
}

/**
 * In a burst of transactions a thread copies what the log holds into the database while others go on writing. SQLite itself does so within a
 * commit once the log has its size, and finds little left to copy and to flush then: otherwise everybody would wait for it, some 40 ms.
 */
export function createCheckpoints({ path, timers, turns }: Needs): Checkpoints {
  const underWay = createUnderWay();
  let pool: ThreadPool<CheckpointOrder, boolean> | null = null;
  let burst = { sinceMs: Number.NEGATIVE_INFINITY, transactions: 0 };
  let isOpen = false;
  let isBusy = false;

  async function order(work: CheckpointOrder['work']): Promise<boolean> {
    pool ??= createThreadPool({
      module: new URL('./checkpoint-thread.ts', import.meta.url),
      threads: 1,
      timers,
      timeoutMs: TIMEOUT_MS,
      failsWithoutThread: true,
    });
    return pool.run('', { path, work }, []);
  }

  async function checkpoint(): Promise<void> {
    isBusy = true;
    try {
      if (!isOpen) {
        // Nobody waits at the lock for the thread to start.
        await order('start');
        isOpen = await turns.run('checkpoints', () => order('open'));
      }
      // With another file in its place whoever writes is told, and empties the log.
      if (turns.isInPlace()) isOpen = await order('checkpoint');
    } catch {
      // Without a thread, or where the file could not be opened: SQLite does it by itself.
      isOpen = false;
    } finally {
      isBusy = false;
    }
  }

  return {
    committed(transactions) {
      const nowMs = timers.elapsedMs();
      if (nowMs - burst.sinceMs > BURST_MS) burst = { sinceMs: nowMs, transactions: 0 };
      burst.transactions += transactions;
      if (burst.transactions < TRANSACTIONS || isBusy) return;
      burst = { sinceMs: nowMs, transactions: 0 };
      void underWay.track(checkpoint());
    },
    async close() {
      await underWay.ended();
      await pool?.close();
    },
  };
}
