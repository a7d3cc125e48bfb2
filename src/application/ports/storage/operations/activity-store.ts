import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../../../domain/documents/outbound-status.ts';
import type { ActivityCount } from '../../../../domain/operations/document-activity.ts';

/** A row of the history of an outbound document, as the change feed has it. */
export type CountedMove = {
  readonly at: number;
  readonly docUid: DocUid;
  readonly status: OutboundStatus;
  readonly failureCode: string | null;
};

/** How many documents moved into a status in one of the steps, of which the first is 0. */
export type StepCount = { readonly step: number; readonly status: OutboundStatus; readonly documents: number };

export type ActivityStore = {
  /** Within a transaction no other process counts until its end. */
  readonly lock: () => void;
  /** Tenants with entries that are not counted. */
  readonly behind: () => Promise<readonly Edb[]>;
  /** The last entry of a tenant that is counted; null where none is. */
  readonly countedUpTo: (tenant: Edb) => Promise<number | null>;
  /** The `entries` after `number`, at most `limit` of them, whatever they are about; `moves` are those of histories. */
  readonly moves: (
    tenant: Edb,
    number: number | null,
    limit: number,
  ) => Promise<{ readonly moves: readonly CountedMove[]; readonly entries: number; readonly last: number | null }>;
  readonly add: (counts: readonly ActivityCount[]) => Promise<void>;
  readonly setCounted: (tenant: Edb, number: number) => Promise<void>;
  /** Moves into each status from an hour on, added up by steps of so many milliseconds. */
  readonly movesByStep: (fromHour: number, stepMs: number) => Promise<readonly StepCount[]>;
  /** Everything else from an hour on, added up. */
  readonly totals: (fromHour: number) => Promise<readonly Omit<ActivityCount, 'hour'>[]>;
  readonly deleteBefore: (hour: number) => Promise<void>;
};
