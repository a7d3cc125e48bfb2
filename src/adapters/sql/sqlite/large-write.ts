import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';
import { createThreadPool, type ThreadPool } from '../../threads/thread-pool.ts';
import { transferable } from '../../threads/transferable.ts';
import type { Engine } from '../engine.ts';
import type { LargeWrite, LargeWriteFailure } from './large-write-thread.ts';

/** The disk may be slow and another process may write meanwhile. */
const TIMEOUT_MS = 30_000;

export type SqliteApart = { readonly run: Engine['runApart']; readonly close: () => Promise<void> };

/**
 * Writes on a thread with a connection of its own: ten megabytes keep whoever writes them busy for tens of milliseconds, and
 * for much longer when the log is checkpointed behind them. The thread is started when there is something for it.
 */
export function createSqliteApart(path: string): SqliteApart {
  let pool: ThreadPool<LargeWrite, LargeWriteFailure | null> | null = null;
  return {
    async run(text, parameters) {
      pool ??= createThreadPool({
        module: new URL('./large-write-thread.ts', import.meta.url),
        threads: 1,
        timeoutMs: TIMEOUT_MS,
      });
      const bytes = transferable(parameters.at(-1) as Uint8Array);
      const failure = await pool.run({ path, text, parameters: parameters.slice(0, -1), bytes }, [bytes.buffer]);
      if (failure === null) return;
      throw failure.isBusy ? new ServiceUnavailable('Another process holds the database.') : new Error(failure.message);
    },
    async close() {
      await pool?.close();
    },
  };
}
