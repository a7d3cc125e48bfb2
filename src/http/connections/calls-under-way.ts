import type { ServerResponse } from 'node:http';
import { onClose } from './on-close.ts';

/** What is being carried out. A client may leave meanwhile: what becomes of its call is known only when that is done. */
export type CallsUnderWay = {
  readonly begin: (response: ServerResponse) => void;
  /** The answer is known, whether or not anybody takes it. */
  readonly answered: (response: ServerResponse) => void;
  /** Calls back when the answer is known and the client has taken it, or has left. */
  readonly onOver: (response: ServerResponse, callback: () => void) => void;
  /** Resolves when nothing is carried out any more. */
  readonly allAnswered: () => Promise<void>;
};

export function createCallsUnderWay(): CallsUnderWay {
  /** What waits for the answers that are not known yet. */
  const unanswered = new Map<ServerResponse, (() => void)[]>();
  const waitingForAll: (() => void)[] = [];

  function answered(response: ServerResponse): void {
    const waiting = unanswered.get(response) ?? [];
    unanswered.delete(response);
    for (const callback of waiting) callback();
    if (unanswered.size === 0) for (const resolve of waitingForAll.splice(0)) resolve();
  }

  return {
    begin(response) {
      unanswered.set(response, []);
      // However it came about: what was sent was the answer. A call that is never over would hold up the stop.
      onClose(response, () => {
        if (response.writableEnded) answered(response);
      });
    },
    answered,
    onOver(response, callback) {
      onClose(response, () => {
        const waiting = unanswered.get(response);
        if (waiting === undefined) callback();
        else waiting.push(callback);
      });
    },
    async allAnswered() {
      if (unanswered.size > 0) await new Promise<void>((resolve) => waitingForAll.push(resolve));
    },
  };
}
