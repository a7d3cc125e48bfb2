import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Lease } from './delivery-store.ts';

export type RecurringTaskName = 'collect' | 'follow' | 'lists';

export type ClaimedTask = {
  readonly tenant: Edb;
  readonly name: RecurringTaskName;
  /** What the last successful run returned, for the next one to continue from. */
  readonly checkpoint: string | null;
  readonly failures: number;
  /** Runs in a row that brought nothing new. */
  readonly quietRuns: number;
  /** The user of the authority in whose name it runs: tenants may share one. */
  readonly user: string;
  /** How many tenants share the user, this one included. */
  readonly tenantsOfUser: number;
};

/** How many tasks of one name may run for one user at the same time. */
export type UserShare = {
  readonly maxPerName: number;
  readonly running: readonly Pick<ClaimedTask, 'user' | 'name'>[];
  /** Tenants whose tasks are left to other processes. */
  readonly except?: readonly Edb[];
};

export type RecurringTaskStore = {
  /** Schedules the tasks for the tenant; tasks that are scheduled already stay unchanged. */
  readonly schedule: (tenant: Edb, names: readonly RecurringTaskName[], dueAt: number) => Promise<void>;
  /** Ends all tasks of the tenant. A run in progress loses its lease. */
  readonly remove: (tenant: Edb) => Promise<void>;
  /** Whether any is due, also those that nobody may claim now. Without a transaction: mostly there is none. */
  readonly isAnyDue: (now: number) => Promise<boolean>;
  /**
   * Claims due tasks, the longest due first, none beyond its user's share. May claim fewer than the limit although more could be
   * claimed; none only when there are none.
   */
  readonly claim: (lease: Lease, now: number, limit: number, share: UserShare) => Promise<readonly ClaimedTask[]>;
  /** Makes due at `now` those tasks of the name that are postponed longer than any is, by a lease or by a pause; returns how many. */
  readonly recallPostponed: (
    name: RecurringTaskName,
    now: number,
    longest: { readonly leaseMs: number; readonly pauseMs: number },
  ) => Promise<number>;
  /** Prolongs the lease of a running task; changes nothing when it belongs to another worker by now. */
  readonly renew: (task: Pick<ClaimedTask, 'tenant' | 'name'>, lease: Lease) => Promise<void>;
  /** Ends a run: stores its result and the next due time. Returns false when the lease belongs to another worker by now. */
  readonly reschedule: (
    task: Pick<ClaimedTask, 'tenant' | 'name'>,
    token: string,
    next: {
      readonly dueAt: number;
      readonly checkpoint: string | null;
      readonly failures: number;
      readonly failure: string | null;
      readonly quietRuns: number;
    },
  ) => Promise<boolean>;
  /** Makes a task due now, if it is scheduled for the tenant and not running. */
  readonly runNow: (tenant: Edb, name: RecurringTaskName, now: number) => Promise<void>;
  /** Makes those tasks of the tenant due now whose last run failed and that wait after it: what they failed for may be gone. */
  readonly retryFailed: (tenant: Edb, now: number) => Promise<void>;
  /**
   * Makes the follow-up due now, and from the given day on if it has come further. A run in progress loses its lease: it may have passed
   * that day, and would put its own checkpoint in the place of this one.
   */
  readonly followFrom: (tenant: Edb, day: string, now: number) => Promise<void>;
};
