/** Background work that is repeated at a fixed interval. */
export type Job = {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
  /** Resolves when all work that was started by `run` has ended. */
  readonly finish?: () => Promise<void>;
};

export type Worker = { readonly stop: () => Promise<void> };

/** Runs each job at its interval, never twice at the same time. A failed run is reported, and the job runs again as usual. */
export function startWorker(jobs: readonly Job[], onFailure: (job: Job, error: unknown) => void): Worker {
  const loops = jobs.map((job) => startLoop(job, onFailure));
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function startLoop(job: Job, onFailure: (job: Job, error: unknown) => void): Worker {
  let running: Promise<void> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = job
      .run()
      .catch((error: unknown) => onFailure(job, error))
      .finally(() => {
        isBusy = false;
      });
  }, job.everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
      await job.finish?.();
    },
  };
}
