import { createFairQueue } from './fair-queue.ts';

/** Limits how much runs at the same time. */
export type Semaphore = {
  /** Runs the work when it has a permit. An abort ends the wait for one, with the signal's reason; work that runs is not ended. */
  readonly run: <Result>(owner: string, work: () => Promise<Result>, signal?: AbortSignal | null) => Promise<Result>;
  /** Whether somebody waits for a permit. */
  readonly isAwaited: () => boolean;
  /** Nothing runs and nothing waits. */
  readonly isIdle: () => boolean;
};

/** Owners whose work waits take turns. */
export function createSemaphore(permits: number): Semaphore {
  const queue = createFairQueue<() => void>();
  let free = permits;

  function waitForPermit(owner: string, signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      function admit(): void {
        signal?.removeEventListener('abort', withdraw);
        resolve();
      }
      function withdraw(): void {
        queue.remove(owner, admit);
        reject(signal?.reason);
      }
      signal?.addEventListener('abort', withdraw, { once: true });
      queue.push(owner, admit);
    });
  }

  return {
    async run(owner, work, signal = null) {
      signal?.throwIfAborted();
      if (free > 0) free -= 1;
      else await waitForPermit(owner, signal);
      try {
        return await work();
      } finally {
        // The permit goes straight to the next: free again only when nobody waits.
        const admitNext = queue.take();
        if (admitNext === undefined) free += 1;
        else admitNext();
      }
    },
    isAwaited: () => !queue.isEmpty(),
    isIdle: () => free === permits,
  };
}
