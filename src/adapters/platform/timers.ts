import type { Timers } from '../../application/ports/platform.ts';

/** The timers of this process. */
export const systemTimers: Timers = {
  elapsedMs: () => performance.now(),
  after(ms, run, options) {
    const timer = setTimeout(run, ms);
    if (options?.keepsProcess === false) timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
  every(ms, run, options) {
    const timer = setInterval(run, ms);
    if (options?.keepsProcess === false) timer.unref();
    return { cancel: () => clearInterval(timer) };
  },
  pause: (ms, signal) => (signal === undefined ? uninterrupted(ms) : interruptible(ms, signal)),
  nextTurn: () => new Promise((resolve) => void setImmediate(resolve)),
};

function uninterrupted(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

function interruptible(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', interrupt);
      resolve();
    }, ms);
    function interrupt(): void {
      clearTimeout(timer);
      reject(signal.reason);
    }
    signal.addEventListener('abort', interrupt, { once: true });
  });
}
