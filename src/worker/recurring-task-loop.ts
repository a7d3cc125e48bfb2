import { ServiceStopping } from '../application/errors/service-stopping.ts';
import type { Clock } from '../application/ports/platform.ts';
import type { Lease } from '../application/ports/storage/delivery-store.ts';
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
/**
 * The authority allows each user one request a second, and a user's background work gives way to its deliveries: more tasks of it
 * would only wait for each other, in places that the tasks of other users need.
 */
const MAX_PER_USER = 2;
const POLL_MS = 250;
/** After each failure in a row the interval doubles, up to this factor. */
const MAX_INTERVAL_FACTOR = 16;
const STOP_MS = 15_000;

type Run = { readonly task: ClaimedTask; lease: Lease; ended: Promise<void> };

/** Runs due recurring tasks, the longest due first, at most `MAX_RUNNING` at the same time and `MAX_PER_USER` of one user. */
export function recurringTaskJob(needs: Needs): Job {
  const { storage, clock, newToken, recurringTasks, leaseMs, stopMs = STOP_MS, onFailure } = needs;
  const running = new Map<string, Run>();
  return {
    name: 'recurring tasks',
    everyMs: POLL_MS,
    async run() {
      await renewLeases();
      // A claim may leave out tasks that only the next one finds, behind those of a user whose share is full.
      for (let claims = 0; claims < MAX_RUNNING / MAX_PER_USER; claims += 1) if ((await startDue()) === 0) return;
    },
    async finish() {
      const allEnded = Promise.all([...running.values()].map(({ ended }) => ended));
      const timeout = new Promise((resolve) => void setTimeout(resolve, stopMs).unref());
      await Promise.race([allEnded, timeout]);
    },
  };

  function newLease(): Lease {
    return { token: newToken(), until: clock.now() + leaseMs };
  }

  /** Also while every place is taken: a task whose lease has ended would be run by another process as well. */
  async function renewLeases(): Promise<void> {
    const until = clock.now() + leaseMs;
    const ending = [...running.values()].filter(({ lease }) => lease.until - clock.now() <= leaseMs / 2);
    if (ending.length === 0) return;
    await storage.transaction(async (tx) => {
      for (const { task, lease } of ending) await tx.recurringTasks.renew(task, { ...lease, until });
    });
    for (const run of ending) run.lease = { ...run.lease, until };
  }

  async function startDue(): Promise<number> {
    const free = MAX_RUNNING - running.size;
    if (free <= 0) return 0;
    const lease = newLease();
    const share = { maxPerUser: MAX_PER_USER, running: [...running.values()].map(({ task }) => task.user) };
    const due = await storage.transaction((tx) => tx.recurringTasks.claim(lease, clock.now(), free, share));
    for (const task of due) start(task, lease);
    return due.length;
  }

  function start(task: ClaimedTask, lease: Lease): void {
    const name = `${task.name} ${task.tenant}`;
    const current = running.get(name);
    if (current !== undefined) {
      // It lost its lease to another process whose lease has ended as well, or could not be renewed in time.
      current.lease = lease;
      return;
    }
    const run: Run = { task, lease, ended: Promise.resolve() };
    running.set(name, run);
    run.ended = runTask(task, run).finally(() => running.delete(name));
  }

  async function runTask(claimed: ClaimedTask, run: Run): Promise<void> {
    const task = recurringTasks[claimed.name];
    const pauseMs = (failures: number) => task.everyMs * Math.min(2 ** failures, MAX_INTERVAL_FACTOR);
    const reschedule = (checkpoint: string | null, failures: number, failure: string | null, pause: number) => {
      const next = { dueAt: clock.now() + pause, checkpoint, failures, failure };
      return storage.transaction((tx) => tx.recurringTasks.reschedule(claimed, run.lease.token, next));
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
