import type { Clock } from '../application/ports/platform.ts';
import type { ClaimedTask, RecurringTaskName } from '../application/ports/storage/recurring-task-store.ts';
import type { Storage } from '../application/ports/storage/storage.ts';
import type { Tenant } from '../domain/accounts/tenant.ts';
import type { Job } from './worker.ts';

/** What is done for a tenant, with the note it left the last time; returns the next note. */
export type RecurringTask = {
  readonly everyMs: number;
  readonly run: (tenant: Tenant, note: string | null) => Promise<string | null>;
};

type Needs = {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly newToken: () => string;
  readonly recurringTasks: Readonly<Record<RecurringTaskName, RecurringTask>>;
  readonly leaseMs: number;
  /** How long a stop waits for what is under way. What is cut off then is done again by the next process. */
  readonly stopMs?: number;
  readonly onFailure: (task: ClaimedTask, error: unknown) => void;
};

const AT_ONCE = 16;
const LOOK_EVERY_MS = 250;
/** After failures a task comes round ever more seldom, up to so many times its usual pause. */
const LONGEST_PAUSE_FACTOR = 16;
const STOP_MS = 15_000;

/** The token is the one of its newest lease. */
type Run = { token: string; work: Promise<void> };

/** Runs the recurringTasks that are due, those that waited longest first. Each at the same time for as many tenants as allowed. */
export function recurringTaskJob(needs: Needs): Job {
  const { storage, clock, newToken, recurringTasks, leaseMs, stopMs = STOP_MS, onFailure } = needs;
  const running = new Map<string, Run>();
  return {
    name: 'recurring tasks',
    everyMs: LOOK_EVERY_MS,
    async run() {
      const free = AT_ONCE - running.size;
      if (free <= 0) return;
      const lease = { token: newToken(), until: clock.now() + leaseMs };
      const due = await storage.transaction((tx) => tx.recurringTasks.claim(lease, clock.now(), free));
      for (const task of due) begin(task, lease.token);
    },
    async drain() {
      const finished = Promise.all([...running.values()].map(({ work }) => work));
      const enough = new Promise((resolve) => void setTimeout(resolve, stopMs).unref());
      await Promise.race([finished, enough]);
    },
  };

  function begin(task: ClaimedTask, token: string): void {
    const name = `${task.name} ${task.tenant}`;
    const known = running.get(name);
    if (known !== undefined) {
      // It takes longer than its lease, which is hereby renewed.
      known.token = token;
      return;
    }
    const run: Run = { token, work: Promise.resolve() };
    running.set(name, run);
    run.work = runTask(task, run).finally(() => running.delete(name));
  }

  async function runTask(claimed: ClaimedTask, run: Run): Promise<void> {
    const task = recurringTasks[claimed.name];
    const settle = (note: string | null, failures: number, failure: string | null) => {
      const pause = task.everyMs * Math.min(2 ** failures, LONGEST_PAUSE_FACTOR);
      const next = { dueAt: clock.now() + pause, note, failures, failure };
      return storage.transaction((tx) => tx.recurringTasks.settle(claimed, run.token, next));
    };
    try {
      const tenant = await storage.tenants.find(claimed.tenant);
      if (tenant !== null) await settle(await task.run(tenant, claimed.note), 0, null);
    } catch (error) {
      onFailure(claimed, error);
      const failure = error instanceof Error ? error.message : String(error);
      await settle(claimed.note, claimed.failures + 1, failure).catch((cause: unknown) => onFailure(claimed, cause));
    }
  }
}
