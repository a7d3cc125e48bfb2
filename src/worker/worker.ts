/** Something done again and again in the background. */
export type Job = {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
  /** Resolves when nothing that a run began is still under way. */
  readonly drain?: () => Promise<void>;
};

export type Worker = { readonly stop: () => Promise<void> };

/** Runs each job at its pace, never twice at a time. A failure is reported and the job comes round again. */
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
      await job.drain?.();
    },
  };
}
