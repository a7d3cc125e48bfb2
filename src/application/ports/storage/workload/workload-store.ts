import type { OutboundStatus } from '../../../../domain/documents/outbound-status.ts';
import type { RecurringTaskName } from '../recurring-task-store.ts';

export type TaskLoad = {
  readonly name: RecurringTaskName;
  readonly scheduled: number;
  /** Whose last runs, three or more in a row, failed. */
  readonly failing: number;
  /** Since when the longest due one that no process runs is due; null where none is due. */
  readonly oldestDueAt: number | null;
};

/** Since when what was sent first, and has no outcome yet, has been without one; null where there is none. */
export type UnknownSince = { readonly document: number | null; readonly void: number | null };

/** How much there is to do, for all tenants together. */
export type WorkloadStore = {
  readonly outboundByStatus: () => Promise<ReadonlyMap<OutboundStatus, number>>;
  /**
   * Since when the longest due outbound document of each status is due, by status; 40 is for containers. Documents that a worker has
   * just now are not due, and those of stopped tenants wait for something else.
   */
  readonly oldestDueAt: (now: number) => Promise<ReadonlyMap<OutboundStatus, number>>;
  readonly unknownSince: () => Promise<UnknownSince>;
  readonly recurringTasks: (now: number) => Promise<readonly TaskLoad[]>;
};
