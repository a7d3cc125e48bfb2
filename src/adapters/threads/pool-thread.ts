import { setFlagsFromString } from 'node:v8';
import { type Transferable, Worker } from 'node:worker_threads';
import type { Timers } from '../../application/ports/platform.ts';
import { watchTask } from './watch-task.ts';

export type Task<Request, Answer> = {
  readonly owner: string;
  readonly request: Request;
  readonly transferList: readonly Transferable[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

export type Thread<Request, Answer> = {
  readonly worker: Worker;
  isReady: boolean;
  /** Tasks posted to the worker, in order: it is running the first, the others wait in its message queue. */
  readonly tasks: Task<Request, Answer>[];
  /** When it last was given a task. */
  usedAtMs: number;
  /** Ends the watch over the task that it is running. */
  endWatch: (() => void) | null;
};

/**
 * Of threads that start from then on; this one keeps its own. What is made of a large document on a thread is garbage soon, and a larger young
 * generation would hold more of it. The flag of the start wins over `resourceLimits`.
 */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=8';

/** Null where the system has no more threads for this process. */
export function startWorker(module: URL, onFailure: (error: unknown) => void): Worker | null {
  setFlagsFromString(SMALL_YOUNG_GENERATION);
  try {
    return new Worker(module);
  } catch (error) {
    onFailure(error);
    return null;
  }
}

export function threadOf<Request, Answer>(worker: Worker, startedAtMs: number): Thread<Request, Answer> {
  return { worker, isReady: false, tasks: [], usedAtMs: startedAtMs, endWatch: null };
}

/** Watches the task that the worker is running now. */
export function watchNext<Request, Answer>(
  thread: Thread<Request, Answer>,
  { timers, timeoutMs }: { readonly timers: Timers; readonly timeoutMs: number },
  onTimeout: () => void,
): void {
  thread.endWatch?.();
  if (thread.tasks.length > 0) thread.usedAtMs = timers.elapsedMs();
  keepProcess(thread);
  thread.endWatch = thread.tasks.length === 0 ? null : watchTask(thread.worker, timers, timeoutMs, onTimeout);
}

/** The process goes on while a worker starts or runs a task; an idle one does not keep it. */
function keepProcess<Request, Answer>(thread: Thread<Request, Answer>): void {
  if (isIdle(thread)) thread.worker.unref();
  else thread.worker.ref();
}

/** A worker that is starting is not idle: terminating it then can crash the whole process. */
export function isIdle<Request, Answer>({ isReady, tasks }: Thread<Request, Answer>): boolean {
  return isReady && tasks.length === 0;
}

/** Removed from the set first, so that its end is not taken for a death. */
export async function terminate<Request, Answer>(
  threads: Set<Thread<Request, Answer>>,
  thread: Thread<Request, Answer>,
): Promise<void> {
  threads.delete(thread);
  await thread.worker.terminate();
}

/** Reports the end of a worker on `exit`, not on `error`: answers it posted before the error may arrive after that event. */
export function onEnd(worker: Worker, callback: (error: unknown) => void): void {
  let failure: unknown = null;
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('exit', (code) => callback(failure ?? new Error(`A worker thread exited with code ${code}`)));
}
