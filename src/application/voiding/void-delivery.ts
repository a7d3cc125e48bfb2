import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { ReadCodeList } from '../code-lists/read-code-list.ts';
import type { AttemptRecord } from '../delivery/settlement.ts';
import type { Authority } from '../ports/authority.ts';
import type { Clock, Random } from '../ports/platform.ts';
import type { RecordedAttempt } from '../ports/storage/delivery-store.ts';
import type { VoidState } from '../ports/storage/outbound/void-store.ts';
import type { Storage } from '../ports/storage/storage.ts';
import type { Tracer } from '../ports/telemetry/tracer.ts';

/** What happened to a void, for the log and the metrics. */
export type VoidEvent = {
  readonly tenant: Tenant;
  readonly docUid: string;
  readonly state: VoidState | 'stray-registration';
  readonly failureCode: string | null;
  readonly message: string | null;
};

export type VoidNeeds = {
  readonly storage: Storage;
  readonly authority: Pick<
    Authority,
    'prepareVoid' | 'requestTimestamp' | 'sinceRequestMs' | 'send' | 'findRegistered' | 'interpret'
  >;
  readonly readList: ReadCodeList;
  readonly clock: Clock;
  readonly random: Random;
  /** Longer than a request to the authority can take. */
  readonly leaseMs: number;
  readonly outcomeWindowMs: number;
  readonly report: (event: VoidEvent) => void;
  readonly tracer?: Tracer;
};

type VoidAct = Extract<RecordedAttempt['act'], `void-${string}`>;
export type VoidAttempt = { readonly act: VoidAct; readonly startedAt: number; readonly ordinal: number | null };

export type EndedVoidAttempt = { readonly attempt: VoidAttempt; readonly record: AttemptRecord };
