import type { Timers } from '../application/ports/platform.ts';
export type WakeUp = {
  /** Ends the wait in progress; if there is none, the next wait ends at once. */
  readonly wake: () => void;
  /** Waits until `wake` is called, at most `ms`. */
  readonly wait: (ms: number) => Promise<void>;
};

export function createWakeUp(timers: Timers): WakeUp {
  let isWoken = false;
  let endWait: (() => void) | null = null;
  return {
    wake() {
      isWoken = true;
      endWait?.();
    },
    async wait(ms) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = timers.after(ms, resolve, { keepsProcess: false });
          endWait = () => {
            timer.cancel();
            resolve();
          };
        });
      }
      isWoken = false;
      endWait = null;
    },
  };
}
