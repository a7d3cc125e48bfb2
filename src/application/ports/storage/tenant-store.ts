import type { Edb } from '../../../domain/accounts/edb.ts';
import type { QueueState } from '../../../domain/accounts/queue-state.ts';
import type {
  AuthorityEnvironment,
  NewTenant,
  StopCause,
  Tenant,
  TenantSettings,
} from '../../../domain/accounts/tenant.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';

export type TenantStore = {
  /** Returns false when there is a tenant with that EDB. */
  readonly add: (tenant: NewTenant, now: number) => Promise<boolean>;
  readonly find: (edb: Edb) => Promise<Tenant | null>;
  readonly list: () => Promise<readonly Tenant[]>;
  /** Changes the settings; does not change whether delivery is stopped. Documents so far stay those of the environment that they came in. */
  readonly update: (tenant: TenantSettings) => Promise<boolean>;
  /** The environment that a document came in; null where that was not changed since then. */
  readonly formerEnvironment: (
    edb: Edb,
    side: 'outbound' | 'inbound',
    docUid: DocUid,
  ) => Promise<AuthorityEnvironment | null>;
  /** How many tenants are stopped, by cause. */
  readonly countStopped: () => Promise<ReadonlyMap<StopCause, number>>;
  /** Locked within a transaction, so that what follows from it can be written. */
  readonly queueState: (edb: Edb) => Promise<QueueState>;
  readonly saveQueueState: (edb: Edb, state: QueueState) => Promise<void>;
  /**
   * Stops delivery for a while because the account is not accepted, longer with each stop in a row; returns until when. A
   * running stop is not prolonged.
   */
  readonly stop: (edb: Edb, reason: string, now: number) => Promise<number>;
  /**
   * Ends a stop, because something was done about its cause; returns whether there was one. After refused requests a single
   * document goes first, and the next such stop is longer; after any other the next is a first one again.
   */
  readonly resume: (edb: Edb, now: number) => Promise<boolean>;
  /** The authority has dealt with a document of the tenant: ends a stop and all that was counted. Returns whether there was a stop. */
  readonly recordTaken: (edb: Edb, now: number) => Promise<boolean>;
};
