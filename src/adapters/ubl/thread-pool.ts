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
  task: Task<Request, Answer> | null;
  timer: NodeJS.Timeout | null;
};

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
  /** What is in `moved` changes hands without a copy. */
  readonly run: (request: Request, moved: readonly Transferable[]) => Promise<Answer>;
  /** Finishes what was begun and ends the threads. */
  readonly close: () => Promise<void>;
};

/**
 * Threads that work on one task each, first come, first served. A thread that dies fails its own task alone and is
 * replaced.
 */
export function createThreadPool<Request, Answer>(options: ThreadPoolOptions): ThreadPool<Request, Answer> {
  const queue: Task<Request, Answer>[] = [];
  const threads = new Set<Thread<Request, Answer>>();
  const idle = new Set<Thread<Request, Answer>>();
  let closing: { readonly drained: () => void } | null = null;

  function start(): void {
    const worker = new Worker(options.module);
    const thread: Thread<Request, Answer> = { worker, isReady: false, task: null, timer: null };
    threads.add(thread);
    worker.on('message', (message: Answer | typeof READY) => {
      if (message === READY) thread.isReady = true;
      else release(thread)?.resolve(message);
      serve(thread);
    });
    worker.on('error', (error) => lose(thread, error));
    worker.on('exit', (code) => lose(thread, new Error(`A thread ended with code ${code}`)));
  }

  /** Gives a free thread the next task, or lets it wait for one. */
  function serve(thread: Thread<Request, Answer>): void {
    const task = queue.shift();
    if (task === undefined) {
      idle.add(thread);
      if (isDrained()) closing?.drained();
      return;
    }
    thread.task = task;
    thread.timer = setTimeout(expire, options.timeoutMs, thread);
    thread.worker.postMessage(task.request, [...task.moved]);
  }

  function release(thread: Thread<Request, Answer>): Task<Request, Answer> | null {
    const { task, timer } = thread;
    if (timer !== null) clearTimeout(timer);
    thread.task = null;
    thread.timer = null;
    return task;
  }

  function expire(thread: Thread<Request, Answer>): void {
    lose(thread, new TaskTimeout(`took longer than ${options.timeoutMs} ms`));
    void thread.worker.terminate();
  }

  function lose(thread: Thread<Request, Answer>, error: unknown): void {
    if (!threads.delete(thread)) return;
    idle.delete(thread);
    release(thread)?.reject(error);
    if (closing !== null && isDrained()) closing.drained();
    else if (thread.isReady) start();
    else setTimeout(start, RESTART_PAUSE_MS).unref();
  }

  function isDrained(): boolean {
    return queue.length === 0 && threads.values().every(({ task }) => task === null);
  }

  for (let count = 0; count < options.threads; count += 1) start();

  return {
    async run(request, moved) {
      if (closing !== null) throw new Error('The threads are closed');
      return new Promise((resolve, reject) => {
        queue.push({ request, moved, resolve, reject });
        const [thread] = idle;
        if (thread === undefined) return;
        idle.delete(thread);
        serve(thread);
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
