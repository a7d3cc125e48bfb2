import { ServiceStopping } from '../application/errors/service-stopping.ts';
import type { Clock } from '../application/ports/platform.ts';
import type { ClaimedTask, RecurringTaskName } from '../application/ports/storage/recurring-task-store.ts';
import type { Storage } from '../application/ports/storage/storage.ts';
import type { Tenant } from '../domain/accounts/tenant.ts';
import type { Job } from './worker.ts';

/** A run gets the checkpoint that the last successful run returned, and returns the next one. */
export type RecurringTask = {
  readonly everyMs: number;
  readonly run: (tenant: Tenant, checkpoint: string | null) => Promise<string | null>;
};

type Needs = {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly newToken: () => string;
  readonly recurringTasks: Readonly<Record<RecurringTaskName, RecurringTask>>;
  readonly leaseMs: number;
  /** How long `finish` waits for runs in progress. A run that is interrupted then is repeated by another process. */
  readonly stopMs?: number;
  readonly onFailure: (task: ClaimedTask, error: unknown) => void;
};

const MAX_RUNNING = 16;
const POLL_MS = 250;
/** After each failure in a row the interval doubles, up to this factor. */
const MAX_INTERVAL_FACTOR = 16;
const STOP_MS = 15_000;

/** `token` belongs to the newest lease of the task. */
type Run = { token: string; ended: Promise<void> };

/** Runs due recurring tasks, the longest due first, at most `MAX_RUNNING` at the same time. */
export function recurringTaskJob(needs: Needs): Job {
  const { storage, clock, newToken, recurringTasks, leaseMs, stopMs = STOP_MS, onFailure } = needs;
  const running = new Map<string, Run>();
  return {
    name: 'recurring tasks',
    everyMs: POLL_MS,
    async run() {
      const free = MAX_RUNNING - running.size;
      if (free <= 0) return;
      const lease = { token: newToken(), until: clock.now() + leaseMs };
      const due = await storage.transaction((tx) => tx.recurringTasks.claim(lease, clock.now(), free));
      for (const task of due) start(task, lease.token);
    },
    async finish() {
      const allEnded = Promise.all([...running.values()].map(({ ended }) => ended));
      const timeout = new Promise((resolve) => void setTimeout(resolve, stopMs).unref());
      await Promise.race([allEnded, timeout]);
    },
  };

  function start(task: ClaimedTask, token: string): void {
    const name = `${task.name} ${task.tenant}`;
    const current = running.get(name);
    if (current !== undefined) {
      // The run takes longer than its lease and this process has claimed the task again: that renews the lease.
      current.token = token;
      return;
    }
    const run: Run = { token, ended: Promise.resolve() };
    running.set(name, run);
    run.ended = runTask(task, run).finally(() => running.delete(name));
  }

  async function runTask(claimed: ClaimedTask, run: Run): Promise<void> {
    const task = recurringTasks[claimed.name];
    const pauseMs = (failures: number) => task.everyMs * Math.min(2 ** failures, MAX_INTERVAL_FACTOR);
    const reschedule = (checkpoint: string | null, failures: number, failure: string | null, pause: number) => {
      const next = { dueAt: clock.now() + pause, checkpoint, failures, failure };
      return storage.transaction((tx) => tx.recurringTasks.reschedule(claimed, run.token, next));
    };
    try {
      const tenant = await storage.tenants.find(claimed.tenant);
      if (tenant !== null) await reschedule(await task.run(tenant, claimed.checkpoint), 0, null, pauseMs(0));
    } catch (error) {
      const { checkpoint, failures } = claimed;
      const isInterrupted = error instanceof ServiceStopping;
      if (!isInterrupted) onFailure(claimed, error);
      const failure = error instanceof Error ? error.message : String(error);
      // An interrupted run is no failure: another process may begin it anew at once.
      const ended = isInterrupted
        ? reschedule(checkpoint, failures, null, 0)
        : reschedule(checkpoint, failures + 1, failure, pauseMs(failures + 1));
      await ended.catch((cause: unknown) => onFailure(claimed, cause));
    }
  }
}
