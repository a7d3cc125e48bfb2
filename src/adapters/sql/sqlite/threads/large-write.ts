import { ServiceUnavailable } from '../../../../application/errors/service-unavailable.ts';
import type { Timers } from '../../../../application/ports/platform.ts';
import { createThreadPool, type ThreadPool } from '../../../threads/thread-pool.ts';
import { transferable } from '../../../threads/transferable.ts';
import { createUnderWay } from '../../../threads/under-way.ts';
import type { Engine, SqlValue } from '../../engine.ts';
import { fromThreadFailure, type ThreadFailure } from '../failure.ts';
import type { LargeWrite } from './large-write-thread.ts';
import type { ThreadTurns } from './thread-turns.ts';

/** Long enough for a slow disk and for another process that holds the write lock. */
const TIMEOUT_MS = 30_000;

type Needs = {
  readonly path: string;
  readonly timers: Timers;
  readonly turns: ThreadTurns;
  /** How long a file waits for another process at the write lock, the time in our own line included. */
  readonly busyTimeoutMs: number;
};

export type LargeWriter = { readonly run: Engine['runLargeWrite']; readonly close: () => Promise<void> };

/**
 * Writes large values on a worker thread with its own connection: ten megabytes block the writing thread for tens of
 * milliseconds, and for much longer when the write triggers a checkpoint. The thread is started with the first large write.
 */
export function createLargeWriter({ path, timers, turns, busyTimeoutMs }: Needs): LargeWriter {
  const underWay = createUnderWay();
  let pool: ThreadPool<LargeWrite, ThreadFailure | null> | null = null;

  async function write(request: LargeWrite): Promise<ThreadFailure | null> {
    pool ??= createThreadPool({
      module: new URL('./large-write-thread.ts', import.meta.url),
      threads: 1,
      timers,
      timeoutMs: TIMEOUT_MS,
      // Whoever waits has the write lock, for which everybody else waits.
      failsWithoutThread: true,
    });
    try {
      return await pool.run('', request, [request.bytes.buffer]);
    } catch (cause) {
      // A file that was stored all the same belongs to no document, and is removed as others that were stored ahead in vain.
      throw new ServiceUnavailable('The thread that stores large files could not do so.', { cause });
    }
  }

  async function writeInTurn(text: string, parameters: readonly [...SqlValue[], Uint8Array]): Promise<void> {
    const [tenant] = parameters;
    const bytes = transferable(parameters.at(-1) as Uint8Array);
    const deadline = timers.elapsedMs() + busyTimeoutMs;
    const failure = await turns.run(`large files of ${tenant}`, () => {
      const busyMs = Math.max(0, Math.ceil(deadline - timers.elapsedMs()));
      return write({ path, text, parameters: parameters.slice(0, -1), bytes, busyMs });
    });
    if (failure !== null) throw fromThreadFailure(failure);
  }

  return {
    run: (text, parameters) => underWay.track(writeInTurn(text, parameters)),
    async close() {
      // One that waits for its turn is not with the thread yet.
      await underWay.ended();
      await pool?.close();
    },
  };
}
