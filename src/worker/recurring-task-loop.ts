import { CHANGED_ACCOUNT_PAUSE_MS, isMendedSince } from '../application/delivery/account-change.ts';
import { createLeaseReturns, type LeaseReturns } from '../application/delivery/leased-write.ts';
import { KeyUnopened } from '../application/errors/key-unopened.ts';
import { ServiceStopping } from '../application/errors/service-unavailable.ts';
import { EnvironmentChanged } from '../application/errors/tenant-changed.ts';
import type { Clock } from '../application/ports/platform.ts';
import type { Lease } from '../application/ports/storage/delivery-store.ts';
import type {
  ClaimedTask,
  RecurringTaskName,
  RecurringTaskStore,
} from '../application/ports/storage/recurring-task-store.ts';
import type { Storage } from '../application/ports/storage/storage.ts';
import type { Edb } from '../domain/accounts/edb.ts';
import type { Tenant } from '../domain/accounts/tenant.ts';
import { type Polling, pollingPauseMs } from './polling-interval.ts';
import type { Job } from './worker.ts';

/** A run gets the checkpoint that the last successful run returned. */
export type RecurringTask = {
  readonly polling: Polling;
  readonly run: (tenant: Tenant, checkpoint: string | null) => Promise<RunResult>;
};

export type RunResult = {
  readonly checkpoint: string | null;
  /** Whether it brought something new. */
  readonly hasNews: boolean;
  /** When there is something to do again at the latest; the pause is shorter then, but not shorter than after news. */
  readonly dueAt: number | null;
};

type Needs = {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly newToken: () => string;
  readonly recurringTasks: Readonly<Record<RecurringTaskName, RecurringTask>>;
  readonly leaseMs: number;
  /** Tenants whose tasks are left to other processes. */
  readonly exceptOf?: () => readonly Edb[];
  readonly onDone?: (task: ClaimedTask) => void;
  readonly onFailure: (task: ClaimedTask, error: unknown) => void;
};

const MAX_RUNNING = 16;
/**
 * The authority allows each user one request a second, and a user's background work gives way to its deliveries: more tasks of it
 * would only wait for each other, in places that the tasks of other users need. One of each name, because those that wait longest in
 * the user's line must not hold the places of the more urgent ones.
 */
const MAX_PER_NAME = 1;
/** Of so many users and names it is remembered that they had their turn, which each claim goes through: some 340 users with several taxpayers each. */
const MOST_IN_ROUND = 1_024;
const POLL_MS = 250;

/** More of them make no pause longer: the longest one that can be set is a day, the shortest a second. */
const MOST_QUIET_RUNS = 20;

type NextRun = Parameters<RecurringTaskStore['reschedule']>[2];

type Run = { readonly task: ClaimedTask; lease: Lease; ended: Promise<void> };

/**
 * Runs due recurring tasks, the longest due first, at most `MAX_RUNNING` at the same time and, of one user, `MAX_PER_NAME` of each name. They
 * are run in rounds: no user has another run of a name before all others whose tasks were due when the round began have had theirs. In a line
 * that is long the tasks of many taxpayers are always due the longest.
 */
export function recurringTaskJob(needs: Needs): Job {
  const { storage, clock, newToken, leaseMs, exceptOf = () => [] } = needs;
  const running = new Map<string, Run>();
  const returns = createLeaseReturns();
  /** What runs in a round was due when it began: whatever comes due meanwhile would keep it from ending. */
  let roundBeganAt: number | null = null;
  /** The last run of each user and name in the round. One with a single taxpayer has no other that was due when it began. */
  const hadTurn = new Map<string, ClaimedTask>();
  return {
    name: 'recurring tasks',
    everyMs: POLL_MS,
    async run() {
      await returns.tryAgain();
      await renewLeases();
      // A claim may leave out tasks that only the next one finds, behind those of a user whose share is full.
      for (let claims = 0; claims < MAX_RUNNING / MAX_PER_NAME; claims += 1) if ((await startDue()) === 0) return;
    },
    underWay: () => running.size,
    async finish() {
      await Promise.all(Array.from(running.values(), ({ ended }) => ended));
      await returns.tryAgain();
    },
  };

  function newLease(): Lease {
    return { token: newToken(), until: clock.now() + leaseMs };
  }

  /** Also while every place is taken: a task whose lease has ended would be run by another process as well. */
  async function renewLeases(): Promise<void> {
    const until = clock.now() + leaseMs;
    const ending = [...running.values()].filter(({ lease }) => lease.until - clock.now() <= leaseMs / 2);
    // Each on its own: who removes the tasks of a tenant meanwhile would wait for one of them, and hold another. One that fails keeps back
    // no other.
    await Promise.all(
      ending.map(async (run) => {
        const lease = { ...run.lease, until };
        await storage.transaction((tx) => tx.recurringTasks.renew(run.task, lease));
        run.lease = lease;
      }),
    );
  }

  async function startDue(): Promise<number> {
    const free = MAX_RUNNING - running.size;
    if (free <= 0) return 0;
    const lease = newLease();
    const due = (await storage.recurringTasks.isAnyDue(clock.now())) ? await claim(lease, free) : [];
    // Nobody else waits for a place, or very many do: then the longest due is next again.
    if (due.length === 0 || hadTurn.size > MOST_IN_ROUND) endRound();
    for (const task of due) {
      if (task.tenantsOfUser > 1) hadTurn.set(`${task.user} ${task.name}`, task);
      start(task, lease);
    }
    return due.length;
  }

  function endRound(): void {
    roundBeganAt = null;
    hadTurn.clear();
  }

  async function claim(lease: Lease, free: number): Promise<readonly ClaimedTask[]> {
    const left = [...tasksOf(running.values()), ...hadTurn.values()];
    const share = { maxPerName: MAX_PER_NAME, running: left, except: exceptOf() };
    const now = clock.now();
    // A clock that was set back is not asked for what is not due yet.
    roundBeganAt = Math.min(roundBeganAt ?? now, now);
    const dueBy = roundBeganAt;
    return storage.transaction((tx) => tx.recurringTasks.claim(lease, dueBy, free, share));
  }

  function start(task: ClaimedTask, lease: Lease): void {
    const name = `${task.name} ${task.tenant}`;
    const current = running.get(name);
    if (current !== undefined) {
      // It lost its lease to another process whose lease has ended as well, or could not be renewed in time.
      if (isSameRun(current.task, task)) current.lease = lease;
      return;
    }
    const run: Run = { task, lease, ended: Promise.resolve() };
    running.set(name, run);
    run.ended = runTask({ ...needs, returns }, task, run).finally(() => running.delete(name));
  }
}

async function runTask(
  needs: Needs & { readonly returns: LeaseReturns },
  claimed: ClaimedTask,
  run: Run,
): Promise<void> {
  const { storage, clock, recurringTasks, returns, onDone, onFailure } = needs;
  const task = recurringTasks[claimed.name];
  const claimedAt = clock.now();
  const reschedule = (next: (tx: Storage) => Promise<NextRun>) =>
    storage.transaction(async (tx) => tx.recurringTasks.reschedule(claimed, run.lease.token, await next(tx)));
  let tenant: Tenant | null = null;
  try {
    tenant = await storage.tenants.find(claimed.tenant);
    if (tenant === null) return;
    const result = await task.run(tenant, claimed.checkpoint);
    await reschedule(async () => afterRun(task, claimed, result, clock.now()));
    onDone?.(claimed);
  } catch (error) {
    const isInterrupted = isInterruption(error);
    if (!isInterrupted) onFailure(claimed, error);
    const begun = tenant === null ? null : { tenant, claimedAt };
    const next = async (tx: Storage) => {
      const now = clock.now();
      // An interrupted run is no failure: another process may begin it anew at once.
      if (isInterrupted) return uncounted(claimed, now);
      // Decided here: whoever mends the account makes due what waits, but cannot do so with what runs.
      const isOfFormer = begun !== null && (await isMendedSince(tx, begun, now));
      return isOfFormer ? uncounted(claimed, now + CHANGED_ACCOUNT_PAUSE_MS) : afterFailure(task, claimed, error, now);
    };
    await returns.giveBack(() => reschedule(next)).catch((cause: unknown) => onFailure(claimed, cause));
  }
}

/**
 * One that is to begin elsewhere, or in another environment, must not end with what the run in progress returns: it is run when its
 * lease has ended.
 */
function isSameRun(current: ClaimedTask, next: ClaimedTask): boolean {
  return current.checkpoint === next.checkpoint && current.user === next.user;
}

function tasksOf(runs: Iterable<Run>): readonly ClaimedTask[] {
  return Array.from(runs, ({ task }) => task);
}

/** A key that this process cannot open says nothing about the task either. */
function isInterruption(error: unknown): boolean {
  if (error instanceof ServiceStopping || error instanceof EnvironmentChanged) return true;
  return error instanceof Error && error.cause instanceof KeyUnopened;
}

function uncounted({ checkpoint, failures, quietRuns }: ClaimedTask, dueAt: number): NextRun {
  return { dueAt, checkpoint, failures, failure: null, quietRuns };
}

function afterFailure({ polling }: RecurringTask, claimed: ClaimedTask, error: unknown, now: number): NextRun {
  const { checkpoint, quietRuns } = claimed;
  const failures = claimed.failures + 1;
  const failure = error instanceof Error ? error.message : String(error);
  const dueAt = now + pollingPauseMs(polling, { ...claimed, failures });
  return { dueAt, checkpoint, failures, failure, quietRuns };
}

function afterRun(
  { polling }: RecurringTask,
  claimed: ClaimedTask,
  { checkpoint, hasNews, dueAt }: RunResult,
  now: number,
): NextRun {
  const quietRuns = hasNews ? 0 : Math.min(claimed.quietRuns + 1, MOST_QUIET_RUNS);
  const { tenantsOfUser } = claimed;
  const pauseAfter = (runs: number) => pollingPauseMs(polling, { quietRuns: runs, failures: 0, tenantsOfUser });
  const repeatAt = dueAt === null ? Number.POSITIVE_INFINITY : Math.max(dueAt, now + pauseAfter(0));
  const nextAt = Math.min(now + pauseAfter(quietRuns), repeatAt);
  return { dueAt: nextAt, checkpoint, failures: 0, failure: null, quietRuns };
}
