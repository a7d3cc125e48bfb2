import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Lease } from './delivery-store.ts';

export type RecurringTaskName = 'collect' | 'follow' | 'lists';

export type ClaimedTask = {
  readonly tenant: Edb;
  readonly name: RecurringTaskName;
  /** What the last successful run returned, for the next one to continue from. */
  readonly checkpoint: string | null;
  readonly failures: number;
};

export type RecurringTaskStore = {
  /** Schedules the tasks for the tenant; tasks that are scheduled already stay unchanged. */
  readonly schedule: (tenant: Edb, names: readonly RecurringTaskName[], dueAt: number) => Promise<void>;
  readonly claim: (lease: Lease, now: number, limit: number) => Promise<readonly ClaimedTask[]>;
  /** Ends a run: stores its result and the next due time. Returns false when the lease belongs to another worker by now. */
  readonly reschedule: (
    task: Pick<ClaimedTask, 'tenant' | 'name'>,
    token: string,
    next: {
      readonly dueAt: number;
      readonly checkpoint: string | null;
      readonly failures: number;
      readonly failure: string | null;
    },
  ) => Promise<boolean>;
  /** Makes a task due now, if it is scheduled for the tenant and not running. */
  readonly runNow: (tenant: Edb, name: RecurringTaskName, now: number) => Promise<void>;
};
