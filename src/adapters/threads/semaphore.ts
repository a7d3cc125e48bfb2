import { createFairQueue } from './fair-queue.ts';

/** Limits how much runs at the same time. */
export type Semaphore<Owner extends string = string> = {
  /** Runs the work when it has a permit. An abort ends the wait for one, with the signal's reason; work that runs is not ended. */
  readonly run: <Result>(owner: Owner, work: () => Promise<Result>, signal?: AbortSignal | null) => Promise<Result>;
  /** Nothing runs and nothing waits. */
  readonly isIdle: () => boolean;
};

/** Decides who gets the next permit. */
export type WaitingQueue<Owner extends string> = {
  readonly push: (owner: Owner, waiting: () => void) => void;
  readonly remove: (owner: Owner, waiting: () => void) => void;
  readonly take: () => (() => void) | undefined;
};

/** Owners whose work waits take turns, unless another queue decides. */
export function createSemaphore<Owner extends string = string>(
  permits: number,
  queue: WaitingQueue<Owner> = createFairQueue<() => void>(),
): Semaphore<Owner> {
  let free = permits;

  function waitForPermit(owner: Owner, signal: AbortSignal | null): Promise<void> {
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
    isIdle: () => free === permits,
  };
}
