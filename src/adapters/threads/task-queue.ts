import type { Transferable } from 'node:worker_threads';
import { createFairQueue } from './fair-queue.ts';

/** What the queue must know of a task. One that transfers buffers is large. */
export type QueuedTask = { readonly owner: string; readonly transferList: readonly Transferable[] };

/** A thread with the tasks that were posted to it. */
type BusyThread<Task> = { readonly tasks: readonly Task[] };

export type TaskQueue<Task, Thread> = {
  readonly push: (task: Task) => void;
  /** To the head again: its thread died before running it. */
  readonly putBack: (task: Task) => void;
  /** The next task that the thread may have now. */
  readonly takeFor: (thread: Thread) => Task | undefined;
  /** The next task, whichever thread it waits for. */
  readonly take: () => Task | undefined;
  readonly isEmpty: () => boolean;
};

/** Tasks posted to one thread at most. With more than one, it can go on without waiting for the main thread to post the next. */
const MAX_POSTED_TASKS = 3;

/**
 * Tasks that wait for a thread. Large and small tasks of an owner wait for different things, so they have turns of their own, and
 * small ones overtake large ones that have no thread yet. A large task needs an idle thread, and small ones would refill every
 * thread for ever: so when it is a large task's turn, one thread gets no more of them until it is idle.
 */
export function createTaskQueue<Task extends QueuedTask, Thread extends BusyThread<Task>>(
  threads: ReadonlySet<Thread>,
  threadCount: number,
): TaskQueue<Task, Thread> {
  const queue = createFairQueue<Task>();
  const maxLarge = Math.max(1, threadCount - 1);
  /** The thread that is becoming idle for a large task. */
  let draining: Thread | null = null;

  const countLarge = () => [...threads].filter(({ tasks }) => tasks.some(isLarge)).length;

  function nextIsLarge(): boolean {
    const next = countLarge() < maxLarge ? queue.next() : undefined;
    return next !== undefined && isLarge(next);
  }

  return {
    push: (task) => queue.push(turnOf(task), task),
    putBack: (task) => queue.putBack(turnOf(task), task),
    takeFor(thread) {
      const { tasks } = thread;
      if (tasks.some(isLarge)) return undefined;
      if (draining !== null && !threads.has(draining)) draining = null;
      if (nextIsLarge()) {
        if (tasks.length > 0) draining ??= thread;
        else {
          draining = null;
          return queue.take(isLarge);
        }
      }
      return thread === draining || tasks.length === MAX_POSTED_TASKS ? undefined : queue.take(isSmall);
    },
    take: () => queue.take(),
    isEmpty: queue.isEmpty,
  };
}

function turnOf(task: QueuedTask): string {
  return `${isLarge(task) ? 'large' : 'small'} ${task.owner}`;
}

export function isLarge({ transferList }: QueuedTask): boolean {
  return transferList.length > 0;
}

function isSmall(task: QueuedTask): boolean {
  return !isLarge(task);
}
