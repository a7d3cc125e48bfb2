import { createFairQueue } from './fair-queue.ts';

export type FairGate = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>;

/** Lets at most so many works run at the same time; owners whose work waits take turns. */
export function createFairGate(places: number): FairGate {
  const waiting = createFairQueue<() => void>();
  let free = places;
  return async (owner, work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((admit) => waiting.push(owner, admit));
    try {
      return await work();
    } finally {
      // The place goes straight to the next: free again only when nobody waits.
      const admitNext = waiting.take(() => true);
      if (admitNext === undefined) free += 1;
      else admitNext();
    }
  };
}
