import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { AuthorityEnvironment } from '../../../../domain/accounts/tenant.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../../../domain/documents/outbound-status.ts';
import type { RecurringTaskName } from '../recurring-task-store.ts';

export type OldestDocument = { readonly tenant: Edb; readonly docUid: DocUid; readonly status: OutboundStatus };

/** How the recurring tasks at an installation of the authority fare. */
export type TaskState = {
  readonly environment: AuthorityEnvironment;
  readonly tasks: number;
  /** Tasks whose last run failed. */
  readonly failing: number;
  /** Those of them whose last runs, three or more in a row, failed: of these the operator is told. */
  readonly keepFailing: number;
  /** A tenant of one of those; null where there is none. */
  readonly failingTenant: Edb | null;
  /** The failure of one of them. */
  readonly failure: string | null;
};

/** A recurring task of a tenant. */
export type TaskRun = {
  readonly name: RecurringTaskName;
  readonly dueAt: number;
  readonly failures: number;
  readonly failure: string | null;
};

/** What the operator sees at a glance, over all tenants; its cost does not grow with the number of documents. */
export type OverviewStore = {
  /** Documents by status, now. */
  readonly countOutbound: () => Promise<ReadonlyMap<OutboundStatus, number>>;
  /** The oldest document of each tenant in one of these statuses. */
  readonly oldest: (statuses: readonly OutboundStatus[]) => Promise<readonly OldestDocument[]>;
  readonly taskRuns: (tenant: Edb) => Promise<readonly TaskRun[]>;
  readonly taskStates: () => Promise<readonly TaskState[]>;
};
