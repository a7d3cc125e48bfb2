import type { Timers } from '../../application/ports/platform.ts';
import { REQUEST_KINDS, type RequestKind, type WaitingRequests } from '../../domain/accounts/request-line.ts';

/** Ends a wait: with a turn, or with the reason why there is none. */
export type Waiter = {
  /** Returns when the request leaves. */
  readonly admit: () => Promise<number>;
  readonly refuse: (reason: unknown) => void;
};

/** The requests of one user that wait in this process, those of each kind in the order of their arrival. */
export type WaitingLine = {
  readonly push: (kind: RequestKind, waiter: Waiter) => void;
  readonly remove: (kind: RequestKind, waiter: Waiter) => void;
  /** The next one of the kind; if none of it is left, the most urgent of the others: a turn that was given should not be lost. */
  readonly take: (kind: RequestKind) => Waiter | undefined;
  readonly takeAll: () => readonly Waiter[];
  readonly isEmpty: () => boolean;
  /** How many wait. From here on all of them are known to have been asked for. */
  readonly counted: () => WaitingRequests;
  /** Waits so long, or until something waits that was not counted, or nothing waits any more. */
  readonly sleep: (ms: number) => Promise<void>;
};

export function createWaitingLine(timers: Timers): WaitingLine {
  const waiters = new Map<RequestKind, Waiter[]>(REQUEST_KINDS.map((kind) => [kind, []]));
  const counted = new Set<RequestKind>();
  let endSleep: (() => void) | null = null;

  const of = (kind: RequestKind) => waiters.get(kind) ?? [];
  const waitingKinds = () => REQUEST_KINDS.filter((kind) => of(kind).length > 0);
  const isEmpty = () => waitingKinds().length === 0;
  const isSleepOver = () => isEmpty() || waitingKinds().some((kind) => !counted.has(kind));

  function changed(): void {
    if (isSleepOver()) endSleep?.();
  }

  return {
    push(kind, waiter) {
      of(kind).push(waiter);
      changed();
    },
    remove(kind, waiter) {
      waiters.set(
        kind,
        of(kind).filter((other) => other !== waiter),
      );
      changed();
    },
    take(kind) {
      const taken = of(kind).length > 0 ? kind : waitingKinds()[0];
      // The turn ended what was known of the kind, unless more of it wait.
      if (of(kind).length <= 1) counted.delete(kind);
      return taken === undefined ? undefined : of(taken).shift();
    },
    takeAll: () => REQUEST_KINDS.flatMap((kind) => of(kind).splice(0)),
    isEmpty,
    counted() {
      counted.clear();
      for (const kind of waitingKinds()) counted.add(kind);
      return Object.fromEntries(waitingKinds().map((kind) => [kind, of(kind).length]));
    },
    async sleep(ms) {
      if (ms <= 0 || isSleepOver()) return;
      await new Promise<void>((resolve) => {
        const timer = timers.after(ms, resolve);
        endSleep = () => {
          timer.cancel();
          resolve();
        };
      });
      endSleep = null;
    },
  };
}
