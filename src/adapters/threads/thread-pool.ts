import type { Transferable } from 'node:worker_threads';
import type { Timers } from '../../application/ports/platform.ts';
import { createPoolSize } from './pool-size.ts';
import { isIdle, onEnd, startWorker, type Task, type Thread, terminate, threadOf, watchNext } from './pool-thread.ts';
import { createTaskQueue, type TaskQueue } from './task-queue.ts';
import { READY } from './thread-ready.ts';

/** No thread could be started, so nothing was done of the task. */
export class NoThread extends Error {
  override readonly name = 'NoThread';
}

/** A task used more processor time than the pool allows. */
export class TaskTimeout extends Error {
  override readonly name = 'TaskTimeout';
}

export type ThreadPoolOptions = {
  /** Posts READY once, and from then on answers each message by one message. */
  readonly module: URL;
  /** So many at most. They start when they are needed, the first with the first task, and end when they have been idle for long. */
  readonly threads: number;
  /** The processor time that one task may use; then it fails with TaskTimeout, and its worker is terminated and replaced. */
  readonly timeoutMs: number;
  readonly timers: Timers;
  /** Hears when there is no thread because one could not be started or has died before it was ready, and null when one is ready. Another start is tried. */
  readonly onStart?: (failure: unknown) => void;
  /** Whether tasks fail with NoThread while there is none, instead of waiting for one. */
  readonly failsWithoutThread?: boolean;
};

export type ThreadPool<Request, Answer> = {
  /**
   * Buffers in `transferList` are transferred, not copied. A task that transfers none may wait behind another one in a worker, and
   * is posted to another worker if its own dies before running it. A task with buffers has a worker to itself: once transferred,
   * they cannot be posted again, and it is a large task that would delay those behind it. Of several workers, large tasks leave
   * one to the small ones; where that one does not run yet, it starts with the large task.
   *
   * Owners with tasks waiting take turns, with their large tasks apart from their small ones. So the first small task of an owner
   * waits for one task of each kind of every other owner at most, and its first large one for those and for the large tasks under way.
   */
  readonly run: (owner: string, request: Request, transferList: readonly Transferable[]) => Promise<Answer>;
  /** Waits for all tasks, then ends the workers. */
  readonly close: () => Promise<void>;
};

/** Workers that run one task at a time. One that dies fails the task it was running, and is replaced. */
export function createThreadPool<Request, Answer>(options: ThreadPoolOptions): ThreadPool<Request, Answer> {
  const threads = new Set<Thread<Request, Answer>>();
  const queue = createTaskQueue<Task<Request, Answer>, Thread<Request, Answer>>(threads, options.threads);
  const end = (thread: Thread<Request, Answer>) => void terminate(threads, thread);
  const size = createPoolSize(threads, { most: options.threads, timers: options.timers, queue, start, end });
  let closing: { readonly resolve: () => void } | null = null;

  function start(): void {
    const worker = startWorker(options.module, onUnstarted);
    if (worker === null) return;
    const thread = threadOf<Request, Answer>(worker, options.timers.elapsedMs());
    threads.add(thread);
    worker.on('message', (message: Answer | typeof READY) => {
      // A worker that was removed after a timeout may still answer before it is terminated.
      if (!threads.has(thread)) return;
      if (!thread.isReady) options.onStart?.(null);
      thread.isReady = true;
      if (message !== READY) thread.tasks.shift()?.resolve(message);
      postTasks(queue, thread);
      restartWatch(thread);
      size.adapt();
      endIfDrained();
    });
    onEnd(worker, (error) => remove(thread, error));
  }

  function onUnstarted(error: unknown): void {
    if (threads.size === 0) options.onStart?.(error);
    size.replace({ isReady: false });
    failWaiting(error);
  }

  /** Where there is no thread for those that wait. While the pool is being closed they would wait for ever. */
  function failWaiting(cause?: unknown): void {
    const mayWait = options.failsWithoutThread !== true && closing === null;
    if (threads.size === 0 && size.isPausing() && !mayWait) failTasks(queue, cause);
    endIfDrained();
  }

  const restartWatch = (thread: Thread<Request, Answer>) =>
    watchNext(thread, options, () => {
      remove(thread, new TaskTimeout(`took more than ${options.timeoutMs} ms of processor time`));
      void thread.worker.terminate();
    });

  /** Fails the task that was running. */
  function remove(thread: Thread<Request, Answer>, error: unknown): void {
    if (!threads.delete(thread)) return;
    const running = takeTasks(queue, thread);
    restartWatch(thread);
    running?.reject(error);
    if (thread.isReady) size.replace(thread);
    else onUnstarted(error);
    dispatch();
  }

  function dispatch(): void {
    for (const thread of postToAll(queue, threads)) restartWatch(thread);
    size.adapt();
    failWaiting();
  }

  const endIfDrained = () => queue.isEmpty() && [...threads].every(isIdle) && closing?.resolve();

  return {
    async run(owner, request, transferList) {
      if (closing !== null) throw new Error('The thread pool is closed');
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      queue.push({ owner, request, transferList, resolve, reject });
      dispatch();
      return promise;
    },
    async close() {
      if (closing !== null) return;
      const drained = Promise.withResolvers<void>();
      closing = drained;
      size.stop();
      failWaiting();
      await drained.promise;
      await Promise.all([...threads].map((thread) => terminate(threads, thread)));
    },
  };
}

/** Posts queued tasks to the least busy workers first; returns those that had none before. */
function postToAll<Request, Answer>(
  queue: TaskQueue<Task<Request, Answer>, Thread<Request, Answer>>,
  threads: ReadonlySet<Thread<Request, Answer>>,
): readonly Thread<Request, Answer>[] {
  return [...threads]
    .sort((a, b) => a.tasks.length - b.tasks.length)
    .filter((thread) => {
      const wasIdle = thread.tasks.length === 0;
      postTasks(queue, thread);
      return wasIdle;
    });
}

/** Posts as many of the next tasks as the worker may hold. */
function postTasks<Request, Answer>(
  queue: TaskQueue<Task<Request, Answer>, Thread<Request, Answer>>,
  thread: Thread<Request, Answer>,
): void {
  if (!thread.isReady) return;
  for (let task = queue.takeFor(thread); task !== undefined; task = queue.takeFor(thread)) {
    try {
      thread.worker.postMessage(task.request, [...task.transferList]);
      thread.tasks.push(task);
    } catch (error) {
      // It cannot be copied, as a buffer that was transferred before.
      task.reject(error);
    }
  }
}

function failTasks<Request, Answer>(
  queue: TaskQueue<Task<Request, Answer>, Thread<Request, Answer>>,
  cause: unknown,
): void {
  for (let task = queue.take(); task !== undefined; task = queue.take()) {
    task.reject(new NoThread('No thread could be started', { cause }));
  }
}

/** Takes all tasks from a worker that has died. Those that waited are at the head of the queue again; returns the one that was running. */
function takeTasks<Request, Answer>(
  queue: TaskQueue<Task<Request, Answer>, Thread<Request, Answer>>,
  thread: Thread<Request, Answer>,
): Task<Request, Answer> | undefined {
  const [running, ...waiting] = thread.tasks.splice(0);
  for (const task of waiting.toReversed()) queue.putBack(task);
  return running;
}
