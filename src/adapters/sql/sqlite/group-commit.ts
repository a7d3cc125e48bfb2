import type { Timers } from '../../../application/ports/platform.ts';
import type { Semaphore } from '../../threads/semaphore.ts';
import type { Sql } from '../engine.ts';
import { rolledBackByItself, writerHangs } from './failure.ts';

type Needs = {
  readonly timers: Timers;
  readonly sql: Sql;
  /** Who has it may take SQLite's write lock: others in this process wait for it here. */
  readonly writeLock: Semaphore;
  /** Waits for other processes, but not longer than it may wait since that moment. */
  readonly begin: (sinceMs: number) => Promise<void>;
  readonly execute: (text: string) => void;
  /** Hears how many transactions were just committed. */
  readonly committed: (transactions: number) => void;
};

type QueuedTransaction = {
  readonly work: (sql: Sql) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** Resolves or rejects the promise of one transaction; called when the commit is durable. */
type Settle = () => void;

/**
 * The pause between two commits, as a multiple of the last commit's duration. It limits commits to a fixed share of the time on
 * any disk; under load, more transactions gather during the pause and share the next commit.
 */
const DELAY_FACTOR = 16;
/** Bounds the latency that the pause adds on a slow disk. */
const MAX_DELAY_MS = 20;

/** Transactions in one commit at most: bounds how long the first of them waits for the last. */
const MAX_GROUP_SIZE = 256;

/** Far longer than any commit, also on a machine that stands still for a while. Whoever waits for longer waits for what hangs. */
export const MAX_WAIT_MS = 60_000;

/** Of a time without anybody who comes so much counts: the whole process may have stood still. */
const MAX_STEP_MS = 10_000;

export type GroupCommit = {
  readonly transaction: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
  /** Resolves when no transaction is waiting or running. */
  readonly idle: () => Promise<void>;
};

/**
 * Group commit: transactions that arrive together share one commit, and so one flush to disk. If one of them fails, the group is
 * rolled back and run again with a savepoint for each, so that only the failing one is undone. None returns before the commit is
 * durable. A work with several chains of statements under way fails with the first of them: what the others still issue in that turn must come
 * into what is undone, and not into the work of another.
 */
export function createGroupCommit({ timers, sql, writeLock, begin, execute, committed }: Needs): GroupCommit {
  const queue: QueuedTransaction[] = [];
  let draining: Promise<void> | null = null;
  let delayUntil = 0;
  const wait = measureWait(timers);

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      wait.begin();
      await delay(timers, delayUntil - timers.elapsedMs());
      const sinceMs = timers.elapsedMs();
      await writeLock.run('transactions', () => commitGroup(queue.splice(0, MAX_GROUP_SIZE), sinceMs));
    }
    draining = null;
  }

  async function commitGroup(group: readonly QueuedTransaction[], sinceMs: number): Promise<void> {
    let settlements: readonly Settle[];
    try {
      await begin(sinceMs);
      settlements = await runAll(group);
      commit();
    } catch (error) {
      rollback(execute);
      for (const { reject } of group) reject(error);
      return;
    }
    for (const settleOne of settlements) settleOne();
    committed(group.length);
  }

  function commit(): void {
    const started = timers.elapsedMs();
    execute('commit');
    const ended = timers.elapsedMs();
    delayUntil = ended + Math.min(MAX_DELAY_MS, (ended - started) * DELAY_FACTOR);
  }

  /** Savepoints cost time and are rarely needed, so the first run does without them. */
  async function runAll(group: readonly QueuedTransaction[]): Promise<readonly Settle[]> {
    try {
      return await runEach(group, async ({ work, resolve }) => {
        const result = await work(sql);
        return () => resolve(result);
      });
    } catch (error) {
      if (group.length === 1) throw error;
      await timers.nextTurn();
      rollback(execute);
      await begin(timers.elapsedMs());
      return runEach(group, runInSavepoint);
    }
  }

  async function runInSavepoint({ work, resolve, reject }: QueuedTransaction): Promise<Settle> {
    execute('savepoint one');
    try {
      const result = await work(sql);
      execute('release one');
      return () => resolve(result);
    } catch (error) {
      await timers.nextTurn();
      rollbackToSavepoint(error);
      return () => reject(error);
    }
  }

  function rollbackToSavepoint(cause: unknown): void {
    try {
      execute('rollback to one');
      execute('release one');
    } catch {
      // The whole group fails, and gets an error of its own: that of the one work may concern only its caller.
      throw rolledBackByItself(cause);
    }
  }

  return {
    transaction<Result>(work: (sql: Sql) => Promise<Result>) {
      return new Promise<Result>((resolve, reject) => {
        queue.push({ work, resolve: resolve as (result: unknown) => void, reject });
        draining ??= drain();
        if (wait.isTooLong()) refuse(queue.splice(0));
      });
    },
    async idle() {
      while (draining !== null) await draining;
    },
  };
}

/** Always yields to the event loop at least once, so that transactions that are ready in the same turn join the group. */
function delay(timers: Timers, ms: number): Promise<void> {
  return ms < 1 ? timers.nextTurn() : timers.pause(ms);
}

/** How long the next group has been waited for, without a timer for each commit: those that wait learn it from those that come. */
function measureWait(timers: Timers) {
  let lastMs = 0;
  let waitedMs = 0;
  return {
    begin() {
      lastMs = timers.elapsedMs();
      waitedMs = 0;
    },
    isTooLong() {
      const nowMs = timers.elapsedMs();
      waitedMs += Math.min(MAX_STEP_MS, nowMs - lastMs);
      lastMs = nowMs;
      return waitedMs > MAX_WAIT_MS;
    },
  };
}

function rollback(execute: Needs['execute']): void {
  try {
    execute('rollback');
  } catch {
    // SQLite has already rolled back by itself, or is closed; the error that led here is reported.
  }
}

function refuse(waiting: readonly QueuedTransaction[]): void {
  for (const { reject } of waiting) reject(writerHangs());
}

async function runEach(
  group: readonly QueuedTransaction[],
  run: (transaction: QueuedTransaction) => Promise<Settle>,
): Promise<readonly Settle[]> {
  const settlements: Settle[] = [];
  for (const transaction of group) settlements.push(await run(transaction));
  return settlements;
}
