import type { Timers } from '../application/ports/platform.ts';

/** What still runs then is cut off with the process; its lease ends, and another process goes on. */
const STOP_MS = 15_000;

/** Background work that is repeated at a fixed interval. */
export type Job = {
  readonly name: string;
  readonly everyMs: number;
  /** Whether it also runs at the start. */
  readonly runsAtOnce?: true;
  readonly run: () => Promise<void>;
  /** How much of the work that `run` has started has not ended. */
  readonly underWay?: () => number;
  /** Resolves when all work that was started by `run` has ended. */
  readonly finish?: () => Promise<void>;
};

type OnFailure = (job: Job, error: unknown) => void;

export type Worker = { readonly stop: () => Promise<void> };

/**
 * Runs each job at its interval, never twice at the same time. A failed run is reported, and the job runs again as usual. A stop waits for
 * what is under way, but not without end: the process has more to close.
 */
export function startWorker(timers: Timers, jobs: readonly Job[], onFailure: OnFailure): Worker {
  const loops = jobs.map((job) => startLoop(timers, job, onFailure));
  return {
    async stop() {
      const timeout = Promise.withResolvers<void>();
      const timer = timers.after(STOP_MS, timeout.resolve, { keepsProcess: false });
      await Promise.race([Promise.all(loops.map((loop) => loop.stop())), timeout.promise]);
      timer.cancel();
    },
  };
}

function startLoop(timers: Timers, job: Job, onFailure: OnFailure): Worker {
  let running: Promise<void> = Promise.resolve();
  let isBusy = false;
  const run = () => {
    if (isBusy) return;
    isBusy = true;
    running = job
      .run()
      .catch((error: unknown) => onFailure(job, error))
      .finally(() => {
        isBusy = false;
      });
  };
  if (job.runsAtOnce === true) run();
  const timer = timers.every(job.everyMs, run, { keepsProcess: false });
  return {
    async stop() {
      timer.cancel();
      await running;
      await job.finish?.().catch((error: unknown) => onFailure(job, error));
    },
  };
}
