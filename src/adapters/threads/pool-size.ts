import type { Timer, Timers } from '../../application/ports/platform.ts';
import { isLarge, type QueuedTask, type TaskQueue } from './task-queue.ts';

type SizedThread = {
  readonly isReady: boolean;
  readonly tasks: readonly QueuedTask[];
  /** When it last was given a task. */
  readonly usedAtMs: number;
};

type Needs<Task, Thread> = {
  readonly most: number;
  readonly timers: Timers;
  readonly queue: Pick<TaskQueue<Task, Thread>, 'isEmpty'>;
  readonly start: () => void;
  readonly end: (idle: Thread) => void;
};

/** How many threads a pool has. */
export type PoolSize = {
  /** After every change of tasks and threads: starts a thread where one is needed. */
  readonly adapt: () => void;
  /** Starts another thread for one that has died while tasks wait; after a pause if it never was ready, so that a permanent error is not retried in a tight loop. */
  readonly replace: (dead: Pick<SizedThread, 'isReady'>) => void;
  /** Whether the last start has failed, and the next one is not tried yet. */
  readonly isPausing: () => boolean;
  readonly stop: () => void;
};

const RESTART_PAUSE_MS = 1_000;
/** A thread takes half a second of processor time until it is ready, some hundred small tasks: a few that wait for a moment are no reason to start one. */
const PATIENCE_MS = 100;
/** A thread takes some 25 MiB. */
const LONGEST_IDLE_MS = 600_000;

/**
 * A pool has threads while they are needed. The first task has one started; a large task, which takes long, another one for the small tasks
 * beside it, and so have tasks that wait for a while. Whatever has been idle for long ends, apart from the last.
 */
export function createPoolSize<Task extends QueuedTask, Thread extends SizedThread>(
  threads: ReadonlySet<Thread>,
  { most, timers, queue, start, end }: Needs<Task, Thread>,
): PoolSize {
  let waiting: Timer | null = null;
  let shrinking: Timer | null = null;
  let isPausing = false;
  let isStopped = false;

  const mayGrow = () => !isStopped && !isPausing && threads.size < most && [...threads].every(({ isReady }) => isReady);
  const isWaiting = () => !queue.isEmpty() || [...threads].some(({ tasks }) => tasks.length > 1);

  function adapt(): void {
    if (!mayGrow() || (threads.size === 0 && queue.isEmpty())) return;
    if ([...threads].every(({ tasks }) => tasks.some(isLarge))) grow();
    else if (isWaiting()) waiting ??= timers.after(PATIENCE_MS, growIfWaiting, { keepsProcess: false });
  }

  function growIfWaiting(): void {
    waiting = null;
    if (mayGrow() && isWaiting()) grow();
  }

  function grow(): void {
    start();
    if (threads.size > 1) shrinking ??= timers.after(LONGEST_IDLE_MS, shrink, { keepsProcess: false });
  }

  function shrink(): void {
    shrinking = null;
    const idle = [...threads].filter(({ isReady, tasks, usedAtMs }) => {
      return isReady && tasks.length === 0 && timers.elapsedMs() - usedAtMs >= LONGEST_IDLE_MS;
    });
    for (const thread of idle.slice(idle.length < threads.size ? 0 : 1)) end(thread);
    if (threads.size > 1) shrinking = timers.after(LONGEST_IDLE_MS, shrink, { keepsProcess: false });
  }

  function goOn(): void {
    isPausing = false;
    if (queue.isEmpty()) return;
    if (threads.size === 0) grow();
    else adapt();
  }

  return {
    adapt,
    replace({ isReady }) {
      isPausing = !isReady;
      if (isPausing) timers.after(RESTART_PAUSE_MS, goOn, { keepsProcess: false });
      else goOn();
    },
    isPausing: () => isPausing,
    stop() {
      isStopped = true;
      waiting?.cancel();
      shrinking?.cancel();
    },
  };
}
