/** Whoever is in front goes next; those who wait for a person or a deadline go before background work. */
export type Urgency = 'urgent' | 'background';

export type WaitingLine = {
  /** Resolves when it is this caller's turn; `leave` lets the next one in. Rejects with the signal's reason when it is aborted. */
  readonly enter: (urgency: Urgency, signal: AbortSignal | null) => Promise<void>;
  readonly leave: () => void;
  readonly isEmpty: () => boolean;
};

type Waiting = { readonly letIn: () => void };

/** One at a time, the urgent ones first, each kind in the order of arrival. */
export function createWaitingLine(): WaitingLine {
  const waiting: Record<Urgency, Waiting[]> = { urgent: [], background: [] };
  let isTaken = false;

  function wait(line: Waiting[], signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      function withdraw(): void {
        line.splice(line.indexOf(one), 1);
        reject(signal?.reason);
      }
      const one: Waiting = {
        letIn() {
          signal?.removeEventListener('abort', withdraw);
          resolve();
        },
      };
      signal?.addEventListener('abort', withdraw, { once: true });
      line.push(one);
    });
  }

  return {
    async enter(urgency, signal) {
      signal?.throwIfAborted();
      if (isTaken) return wait(waiting[urgency], signal);
      isTaken = true;
    },
    leave() {
      const next = waiting.urgent.shift() ?? waiting.background.shift();
      if (next === undefined) isTaken = false;
      else next.letIn();
    },
    isEmpty: () => !isTaken,
  };
}
