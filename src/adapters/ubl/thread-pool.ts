import { Worker } from 'node:worker_threads';

type Task<Request, Answer> = {
  readonly request: Request;
  readonly moved: readonly ArrayBuffer[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
};

/** A thread that dies while it starts is not replaced at once: whatever is wrong should not be tried without pause. */
const RESTART_PAUSE_MS = 1_000;

type Thread<Request, Answer> = {
  readonly worker: Worker;
  isReady: boolean;
  task: Task<Request, Answer> | null;
  timer: NodeJS.Timeout | null;
};

export type ThreadPoolOptions = {
  /** A module that says `ready` once, and from then on answers each message by one message. */
  readonly module: URL;
  readonly threads: number;
  /** How long one task may keep a thread; then the thread is ended, the task fails, and a new thread takes its place. */
  readonly timeoutMs: number;
};

export type ThreadPool<Request, Answer> = {
  /** Buffers in `moved` change hands without a copy. */
  readonly run: (request: Request, moved: readonly ArrayBuffer[]) => Promise<Answer>;
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
  const idle: Thread<Request, Answer>[] = [];
  let whenDrained: (() => void) | null = null;

  function start(): void {
    const thread: Thread<Request, Answer> = {
      worker: new Worker(options.module),
      isReady: false,
      task: null,
      timer: null,
    };
    threads.add(thread);
    thread.worker.on('message', (message: Answer | 'ready') => {
      if (message === 'ready') thread.isReady = true;
      else finish(thread)?.resolve(message);
      serve(thread);
    });
    thread.worker.on('error', (error) => lose(thread, error instanceof Error ? error : new Error(String(error))));
    thread.worker.on('exit', (code) => lose(thread, new Error(`A reading thread ended with code ${code}.`)));
  }

  /** Gives a free thread the next task, or lets it wait for one. */
  function serve(thread: Thread<Request, Answer>): void {
    const task = queue.shift();
    if (task === undefined) {
      idle.push(thread);
      if (busy() === 0) whenDrained?.();
      return;
    }
    thread.task = task;
    thread.timer = setTimeout(() => void thread.worker.terminate(), options.timeoutMs);
    thread.worker.postMessage(task.request, [...task.moved]);
  }

  function finish(thread: Thread<Request, Answer>): Task<Request, Answer> | null {
    const { task } = thread;
    if (thread.timer !== null) clearTimeout(thread.timer);
    thread.task = null;
    thread.timer = null;
    return task;
  }

  function lose(thread: Thread<Request, Answer>, error: Error): void {
    if (!threads.delete(thread)) return;
    const place = idle.indexOf(thread);
    if (place >= 0) idle.splice(place, 1);
    finish(thread)?.reject(error);
    if (whenDrained !== null && busy() === 0) whenDrained();
    else if (thread.isReady) start();
    else setTimeout(start, RESTART_PAUSE_MS).unref();
  }

  function busy(): number {
    return queue.length + [...threads].filter(({ task }) => task !== null).length;
  }

  for (let count = 0; count < options.threads; count += 1) start();

  return {
    run(request, moved) {
      return new Promise((resolve, reject) => {
        if (whenDrained !== null) throw new Error('The reading threads are closed.');
        queue.push({ request, moved, resolve, reject });
        const thread = idle.pop();
        if (thread !== undefined) serve(thread);
      });
    },
    async close() {
      await new Promise<void>((resolve) => {
        whenDrained = resolve;
        if (busy() === 0) resolve();
      });
      const ended = [...threads].map(({ worker }) => worker.terminate());
      threads.clear();
      await Promise.all(ended);
    },
  };
}
