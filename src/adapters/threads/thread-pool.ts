import { type Transferable, Worker } from 'node:worker_threads';

type Task<Request, Answer> = {
  readonly request: Request;
  readonly moved: readonly Transferable[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

type Thread<Request, Answer> = {
  readonly worker: Worker;
  isReady: boolean;
  /** The first is being worked on, the others lie ready for the thread. */
  readonly tasks: Task<Request, Answer>[];
  timer: NodeJS.Timeout | null;
};

/** How many tasks a thread may have at once, so that it need not wait for the next one to be brought. */
const MOST_AT_HAND = 3;

/** What a thread's module posts once, before its first answer. */
export const READY = 'ready';

/** A task kept its thread longer than it may. */
export class TaskTimeout extends Error {
  override readonly name = 'TaskTimeout';
}

/** A thread that dies while it starts is not replaced at once: whatever is wrong should not be tried without pause. */
const RESTART_PAUSE_MS = 1_000;

export type ThreadPoolOptions = {
  /** Posts READY once, and from then on answers each message by one message. */
  readonly module: URL;
  readonly threads: number;
  /** How long one task may keep a thread; then the task fails, and a new thread takes the place of this one. */
  readonly timeoutMs: number;
};

export type ThreadPool<Request, Answer> = {
  /**
   * What is in `moved` changes hands without a copy. A task that moves nothing may lie ready behind another one, and is
   * brought to another thread if its own dies before it is begun; one that moves something has a thread to itself.
   */
  readonly run: (request: Request, moved: readonly Transferable[]) => Promise<Answer>;
  /** Finishes what was begun and ends the threads. */
  readonly close: () => Promise<void>;
};

/** Threads that work on one task at a time, first come, first served. One that dies fails the task it worked on, and is replaced. */
export function createThreadPool<Request, Answer>(options: ThreadPoolOptions): ThreadPool<Request, Answer> {
  const queue: Task<Request, Answer>[] = [];
  const threads = new Set<Thread<Request, Answer>>();
  let closing: { readonly drained: () => void } | null = null;

  function start(): void {
    const worker = new Worker(options.module);
    const thread: Thread<Request, Answer> = { worker, isReady: false, tasks: [], timer: null };
    threads.add(thread);
    worker.on('message', (message: Answer | typeof READY) => {
      // What was given up can still be answered; nothing is brought to a thread that is gone.
      if (!threads.has(thread)) return;
      if (message === READY) thread.isReady = true;
      else thread.tasks.shift()?.resolve(message);
      bring(thread);
      watch(thread);
      if (isDrained()) closing?.drained();
    });
    onEnd(worker, (error) => lose(thread, error));
  }

  /** Brings a thread as many of the next tasks as it may have. */
  function bring(thread: Thread<Request, Answer>): void {
    for (let task = queue[0]; task !== undefined && canTake(thread, task); task = queue[0]) {
      queue.shift();
      thread.tasks.push(task);
      thread.worker.postMessage(task.request, [...task.moved]);
    }
  }

  /** The time of the task that is being worked on begins. */
  function watch(thread: Thread<Request, Answer>): void {
    if (thread.timer !== null) clearTimeout(thread.timer);
    thread.timer = thread.tasks.length === 0 ? null : setTimeout(expire, options.timeoutMs, thread);
  }

  function expire(thread: Thread<Request, Answer>): void {
    lose(thread, new TaskTimeout(`took longer than ${options.timeoutMs} ms`));
    void thread.worker.terminate();
  }

  function lose(thread: Thread<Request, Answer>, error: unknown): void {
    if (!threads.delete(thread)) return;
    const [begun, ...waiting] = thread.tasks.splice(0);
    watch(thread);
    queue.unshift(...waiting);
    begun?.reject(error);
    if (closing === null || queue.length > 0) replace(thread);
    offer();
    if (isDrained()) closing?.drained();
  }

  function replace({ isReady }: Thread<Request, Answer>): void {
    if (isReady) start();
    else setTimeout(start, RESTART_PAUSE_MS).unref();
  }

  /** Shows the queue to the threads, those with the least to do first. */
  function offer(): void {
    for (const thread of [...threads].sort((a, b) => a.tasks.length - b.tasks.length)) {
      const isIdle = thread.tasks.length === 0;
      bring(thread);
      if (isIdle) watch(thread);
    }
  }

  /** Nothing is left to do, and no thread is just starting: ending one that starts can take the whole process with it. */
  function isDrained(): boolean {
    return queue.length === 0 && threads.values().every(({ isReady, tasks }) => isReady && tasks.length === 0);
  }

  for (let count = 0; count < options.threads; count += 1) start();

  return {
    async run(request, moved) {
      if (closing !== null) throw new Error('The threads are closed');
      return new Promise((resolve, reject) => {
        queue.push({ request, moved, resolve, reject });
        offer();
      });
    },
    async close() {
      if (closing !== null) return;
      await new Promise<void>((drained) => {
        closing = { drained };
        if (isDrained()) drained();
      });
      const ended = [...threads].map(({ worker }) => worker.terminate());
      threads.clear();
      await Promise.all(ended);
    },
  };
}

function canTake<Request, Answer>({ isReady, tasks }: Thread<Request, Answer>, task: Task<Request, Answer>): boolean {
  if (!isReady || tasks.length === 0) return isReady;
  return tasks.length < MOST_AT_HAND && task.moved.length === 0 && tasks.every(({ moved }) => moved.length === 0);
}

/** Tells what ended a thread once it is gone: not when it fails, for what it answered before may be heard of later. */
function onEnd(worker: Worker, tell: (error: unknown) => void): void {
  let failure: unknown = null;
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('exit', (code) => tell(failure ?? new Error(`A thread ended with code ${code}`)));
}
