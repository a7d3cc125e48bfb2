import { createFairQueue } from './fair-queue.ts';

/** Limits how many bytes are worked on at the same time. */
export type ByteBudget = {
  /** Runs the work when there is room for so many bytes; when they are more than the whole budget, alone. */
  readonly run: <Result>(owner: string, bytes: number, work: () => Promise<Result>) => Promise<Result>;
  /** Ends every wait, now and later, with the reason; work that runs is not ended. */
  readonly refuseWaiting: (reason: unknown) => void;
};

type Limits = {
  readonly totalBytes: number;
  /** Work of at most so many bytes never waits and is not counted. */
  readonly smallBytes: number;
  /** Hears how many bytes are held in all. */
  readonly held?: (bytes: number) => void;
};

type Waiting = {
  readonly bytes: number;
  readonly admit: () => void;
  readonly refuse: (reason: unknown) => void;
};

/** Owners whose work waits take turns, and nothing overtakes the one whose turn it is: a large one does not wait for ever. */
export function createByteBudget({ totalBytes, smallBytes, held = () => undefined }: Limits): ByteBudget {
  const queue = createFairQueue<Waiting>();
  let used = 0;
  let refusal: { readonly reason: unknown } | null = null;

  function use(bytes: number): void {
    used += bytes;
    held(used);
  }

  function admitNext(): void {
    for (let next = queue.next(); next !== undefined; next = queue.next()) {
      if (used > 0 && used + next.bytes > totalBytes) return;
      queue.take();
      use(next.bytes);
      next.admit();
    }
  }

  return {
    async run(owner, bytes, work) {
      if (refusal !== null) throw refusal.reason;
      if (bytes <= smallBytes) return work();
      await new Promise<void>((admit, refuse) => {
        queue.push(owner, { bytes, admit, refuse });
        admitNext();
      });
      try {
        return await work();
      } finally {
        use(-bytes);
        admitNext();
      }
    },
    refuseWaiting(reason) {
      refusal = { reason };
      for (let next = queue.take(); next !== undefined; next = queue.take()) next.refuse(reason);
    },
  };
}
