import type { Sql } from '../engine.ts';

type Needs = {
  readonly sql: Sql;
  readonly begin: () => Promise<void>;
  readonly execute: (text: string) => void;
};

type Waiting = {
  readonly work: (sql: Sql) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** Tells whoever waits for a transaction what came of it. */
type Settle = () => void;

/**
 * After a commit the next one waits this many times as long as the last one took. Commits so take a bounded part of the
 * time whatever the disk is like, and the busier the service, the more transactions share one.
 */
const REST_FACTOR = 16;
/** Whatever the disk is like, nobody waits longer than this for company. */
const LONGEST_REST_MS = 20;

/** How many transactions share one commit at most: bounds how long the first of them waits for the last. */
const LARGEST_GROUP = 256;

/** At least until whatever else is ready in this turn of the event loop has joined the group. */
function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (ms < 1) setImmediate(resolve);
    else setTimeout(resolve, ms);
  });
}

export type GroupCommit = {
  readonly transaction: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
  /** Resolves when no transaction is waiting or running. */
  readonly idle: () => Promise<void>;
};

/**
 * Commits transactions that arrive together by one commit, and so by one flush to disk. One that fails is undone alone: then
 * all are run anew, each behind a savepoint of its own. None of them returns before all of them are durable.
 */
export function createGroupCommit({ sql, begin, execute }: Needs): GroupCommit {
  const queue: Waiting[] = [];
  let draining: Promise<void> | null = null;
  let restUntil = 0;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await rest(restUntil - performance.now());
      await commitGroup(queue.splice(0, LARGEST_GROUP));
    }
    draining = null;
  }

  async function commitGroup(group: readonly Waiting[]): Promise<void> {
    let settle: readonly Settle[];
    try {
      await begin();
      settle = await runAll(group);
      commit();
    } catch (error) {
      undo();
      for (const waiting of group) waiting.reject(error);
      return;
    }
    for (const tell of settle) tell();
  }

  function commit(): void {
    const started = performance.now();
    execute('commit');
    const ended = performance.now();
    restUntil = ended + Math.min(LONGEST_REST_MS, (ended - started) * REST_FACTOR);
  }

  /** Nearly always all succeed, and none has to be undone alone. Where one fails, all are run anew, ready for that. */
  async function runAll(group: readonly Waiting[]): Promise<readonly Settle[]> {
    try {
      return await runEach(group, async ({ work, resolve }) => {
        const result = await work(sql);
        return () => resolve(result);
      });
    } catch (error) {
      if (group.length === 1) throw error;
      undo();
      await begin();
      return runEach(group, runBehindSavepoint);
    }
  }

  async function runBehindSavepoint({ work, resolve, reject }: Waiting): Promise<Settle> {
    execute('savepoint one');
    try {
      const result = await work(sql);
      execute('release one');
      return () => resolve(result);
    } catch (error) {
      undoOne(error);
      return () => reject(error);
    }
  }

  function undoOne(cause: unknown): void {
    try {
      execute('rollback to one');
      execute('release one');
    } catch {
      // After some failures (a full disk) the engine gives up the whole transaction, savepoints and all. Everybody in the
      // group has to hear of it, but not as the error of one of them, which may be meant for that one alone.
      throw new Error('The database gave up the transaction.', { cause });
    }
  }

  function undo(): void {
    try {
      execute('rollback');
    } catch {
      // The engine has already rolled back by itself, or is closed. What went wrong is told by the error that led here.
    }
  }

  return {
    transaction<Result>(work: (sql: Sql) => Promise<Result>) {
      return new Promise<Result>((resolve, reject) => {
        queue.push({ work, resolve: resolve as (result: unknown) => void, reject });
        draining ??= drain();
      });
    },
    async idle() {
      while (draining !== null) await draining;
    },
  };
}

/** One after the other, in the order they came. */
async function runEach(group: readonly Waiting[], run: (one: Waiting) => Promise<Settle>): Promise<readonly Settle[]> {
  const settle: Settle[] = [];
  for (const waiting of group) settle.push(await run(waiting));
  return settle;
}
