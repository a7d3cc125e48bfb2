import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Lease } from './delivery-store.ts';

/** Something done for a tenant again and again. */
export type RecurringTaskName = 'collect' | 'follow' | 'lists';

export type ClaimedTask = {
  readonly tenant: Edb;
  readonly name: RecurringTaskName;
  /** What the task wrote down for itself the last time. */
  readonly note: string | null;
  readonly failures: number;
};

export type RecurringTaskStore = {
  /** Sees to it that the tenant's recurringTasks are run; leaves those alone that are. */
  readonly enrol: (tenant: Edb, names: readonly RecurringTaskName[], dueAt: number) => Promise<void>;
  readonly claim: (lease: Lease, now: number, limit: number) => Promise<readonly ClaimedTask[]>;
  readonly settle: (
    task: Pick<ClaimedTask, 'tenant' | 'name'>,
    token: string,
    next: {
      readonly dueAt: number;
      readonly note: string | null;
      readonly failures: number;
      readonly failure: string | null;
    },
  ) => Promise<boolean>;
  /** Has a task run now, if the tenant has it and nobody is at it. */
  readonly hasten: (tenant: Edb, name: RecurringTaskName, now: number) => Promise<void>;
};
