import type { Sql } from './engine.ts';

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

/** How many transactions share one commit at most: bounds how long the first of them waits for the last. */
const LARGEST_GROUP = 256;

export type GroupCommit = {
  readonly transaction: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
  /** Resolves when no transaction is waiting or running. */
  readonly idle: () => Promise<void>;
};

/**
 * Commits transactions that arrive together by one commit, and so by one flush to disk. Each runs behind a savepoint of
 * its own: one that fails is undone alone. None of them returns before all of them are durable.
 */
export function createGroupCommit({ sql, begin, execute }: Needs): GroupCommit {
  const queue: Waiting[] = [];
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    // Whatever else becomes ready in this turn of the event loop joins the group.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) await commitGroup(queue.splice(0, LARGEST_GROUP));
    draining = null;
  }

  async function commitGroup(group: readonly Waiting[]): Promise<void> {
    const settle: (() => void)[] = [];
    try {
      await begin();
      for (const waiting of group) settle.push(await runOne(waiting));
      execute('commit');
    } catch (error) {
      undo();
      for (const waiting of group) waiting.reject(error);
      return;
    }
    for (const tell of settle) tell();
  }

  async function runOne({ work, resolve, reject }: Waiting): Promise<() => void> {
    execute('savepoint one');
    try {
      const result = await work(sql);
      execute('release one');
      return () => resolve(result);
    } catch (error) {
      execute('rollback to one');
      execute('release one');
      return () => reject(error);
    }
  }

  function undo(): void {
    try {
      execute('rollback');
    } catch (error) {
      // After some failures (a full disk) the engine has already rolled back by itself.
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
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
