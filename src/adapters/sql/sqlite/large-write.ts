import { ServiceUnavailable } from '../../../application/errors/service-unavailable.ts';
import type { Timers } from '../../../application/ports/platform.ts';
import type { Semaphore } from '../../threads/semaphore.ts';
import { createThreadPool, type ThreadPool } from '../../threads/thread-pool.ts';
import { transferable } from '../../threads/transferable.ts';
import type { Engine } from '../engine.ts';
import type { LargeWrite, LargeWriteFailure } from './large-write-thread.ts';

/** Long enough for a slow disk and for another process that holds the write lock. */
const TIMEOUT_MS = 30_000;

export type LargeWriter = { readonly run: Engine['runLargeWrite']; readonly close: () => Promise<void> };

/**
 * Writes large values on a worker thread with its own connection: ten megabytes block the writing thread for tens of
 * milliseconds, and for much longer when the write triggers a checkpoint. The thread is started with the first large write.
 */
export function createLargeWriter(path: string, timers: Timers, writeLock: Semaphore): LargeWriter {
  let pool: ThreadPool<LargeWrite, LargeWriteFailure | null> | null = null;

  function write(request: LargeWrite): Promise<LargeWriteFailure | null> {
    pool ??= createThreadPool({
      module: new URL('./large-write-thread.ts', import.meta.url),
      threads: 1,
      timers,
      timeoutMs: TIMEOUT_MS,
    });
    return pool.run('', request, [request.bytes.buffer]);
  }

  return {
    async run(text, parameters) {
      const [tenant] = parameters;
      const bytes = transferable(parameters.at(-1) as Uint8Array);
      const failure = await writeLock.run(`large files of ${tenant}`, () =>
        write({ path, text, parameters: parameters.slice(0, -1), bytes }),
      );
      if (failure === null) return;
      const { message, isUnavailable } = failure;
      throw isUnavailable
        ? new ServiceUnavailable(`The database cannot serve at this moment: ${message}.`)
        : new Error(message);
    },
    async close() {
      await pool?.close();
    },
  };
}
