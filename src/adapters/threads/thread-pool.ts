import { setFlagsFromString } from 'node:v8';
import { type Transferable, Worker } from 'node:worker_threads';
import type { Timers } from '../../application/ports/platform.ts';
import { createPoolSize } from './pool-size.ts';
import { createTaskQueue, type TaskQueue } from './task-queue.ts';
import { READY } from './thread-ready.ts';
import { watchTask } from './watch-task.ts';

type Task<Request, Answer> = {
  readonly owner: string;
  readonly request: Request;
  readonly transferList: readonly Transferable[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

type Thread<Request, Answer> = {
  readonly worker: Worker;
  isReady: boolean;
  /** Tasks posted to the worker, in order: it is running the first, the others wait in its message queue. */
  readonly tasks: Task<Request, Answer>[];
  /** When it last was given a task. */
  usedAtMs: number;
  /** Ends the watch over the task that it is running. */
  endWatch: (() => void) | null;
};

/** A task used more processor time than the pool allows. */
export class TaskTimeout extends Error {
  override readonly name = 'TaskTimeout';
}

/**
 * Of threads that start from then on; this one keeps its own. What is made of a large document on a thread is garbage soon, and a larger young
 * generation would hold more of it. The flag of the start wins over `resourceLimits`.
 */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=8';

export type ThreadPoolOptions = {
  /** Posts READY once, and from then on answers each message by one message. */
  readonly module: URL;
  /** So many at most. They start when they are needed, the first with the first task, and end when they have been idle for long. */
  readonly threads: number;
  /** The processor time that one task may use; then it fails with TaskTimeout, and its worker is terminated and replaced. */
  readonly timeoutMs: number;
  readonly timers: Timers;
  /** Hears when there is no thread because one has died before it was ready, and null when one is ready. Tasks wait, and another start is tried. */
  readonly onStart?: (failure: unknown) => void;
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
    const worker = startWorker(options.module);
    const thread = threadOf<Request, Answer>(worker, options.timers.elapsedMs());
    threads.add(thread);
    worker.on('message', (message: Answer | typeof READY) => {
      // A worker that was removed after a timeout may still answer before it is terminated.
      if (!threads.has(thread)) return;
      if (!thread.isReady) onReady(thread);
      if (message !== READY) thread.tasks.shift()?.resolve(message);
      postTasks(queue, thread);
      restartWatch(thread);
      size.adapt();
      if (isDrained()) closing?.resolve();
    });
    onEnd(worker, (error) => remove(thread, error));
  }

  function onReady(thread: Thread<Request, Answer>): void {
    thread.isReady = true;
    options.onStart?.(null);
  }

  /** Watches the task that the worker is running now. */
  function restartWatch(thread: Thread<Request, Answer>): void {
    thread.endWatch?.();
    if (thread.tasks.length > 0) thread.usedAtMs = options.timers.elapsedMs();
    keepProcess(thread);
    const watch = () => watchTask(thread.worker, options.timers, options.timeoutMs, () => onTimeout(thread));
    thread.endWatch = thread.tasks.length === 0 ? null : watch();
  }

  function onTimeout(thread: Thread<Request, Answer>): void {
    remove(thread, new TaskTimeout(`took more than ${options.timeoutMs} ms of processor time`));
    void thread.worker.terminate();
  }

  /** Fails the task that was running. */
  function remove(thread: Thread<Request, Answer>, error: unknown): void {
    if (!threads.delete(thread)) return;
    const running = takeTasks(queue, thread);
    restartWatch(thread);
    running?.reject(error);
    if (!thread.isReady && threads.size === 0) options.onStart?.(error);
    size.replace(thread);
    dispatch();
    if (isDrained()) closing?.resolve();
  }

  /** Posts queued tasks to the least busy workers first. */
  function dispatch(): void {
    for (const thread of [...threads].sort((a, b) => a.tasks.length - b.tasks.length)) {
      const wasIdle = thread.tasks.length === 0;
      postTasks(queue, thread);
      if (wasIdle) restartWatch(thread);
    }
    size.adapt();
  }

  const isDrained = () => queue.isEmpty() && [...threads].every(isIdle);

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
      if (!isDrained()) await drained.promise;
      await Promise.all([...threads].map((thread) => terminate(threads, thread)));
    },
  };
}

function startWorker(module: URL): Worker {
  setFlagsFromString(SMALL_YOUNG_GENERATION);
  return new Worker(module);
}

function threadOf<Request, Answer>(worker: Worker, startedAtMs: number): Thread<Request, Answer> {
  return { worker, isReady: false, tasks: [], usedAtMs: startedAtMs, endWatch: null };
}

/** Posts as many of the next tasks as the worker may hold. */
function postTasks<Request, Answer>(
  queue: TaskQueue<Task<Request, Answer>, Thread<Request, Answer>>,
  thread: Thread<Request, Answer>,
): void {
  if (!thread.isReady) return;
  for (let task = queue.takeFor(thread); task !== undefined; task = queue.takeFor(thread)) {
    thread.tasks.push(task);
    thread.worker.postMessage(task.request, [...task.transferList]);
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

/** The process goes on while a worker starts or runs a task; an idle one does not keep it. */
function keepProcess<Request, Answer>(thread: Thread<Request, Answer>): void {
  if (isIdle(thread)) thread.worker.unref();
  else thread.worker.ref();
}

/** A worker that is starting is not idle: terminating it then can crash the whole process. */
function isIdle<Request, Answer>({ isReady, tasks }: Thread<Request, Answer>): boolean {
  return isReady && tasks.length === 0;
}

/** Removed from the set first, so that its end is not taken for a death. */
async function terminate<Request, Answer>(
  threads: Set<Thread<Request, Answer>>,
  thread: Thread<Request, Answer>,
): Promise<void> {
  threads.delete(thread);
  await thread.worker.terminate();
}

/** Reports the end of a worker on `exit`, not on `error`: answers it posted before the error may arrive after that event. */
function onEnd(worker: Worker, callback: (error: unknown) => void): void {
  let failure: unknown = null;
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('exit', (code) => callback(failure ?? new Error(`A worker thread exited with code ${code}`)));
}
