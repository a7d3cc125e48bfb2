import type { Edb } from '../../../domain/accounts/edb.ts';
import type { FileToKeep, StoredFile } from '../stored-file.ts';
import type { ArchiveStore } from './archive-store.ts';
import type { AuditStore } from './audit-store.ts';
import type { CodeListStore } from './code-list-store.ts';
import type { CredentialStore } from './credential-store.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { InboundStore } from './inbound-store.ts';
import type { KeyStore } from './key-store.ts';
import type { OutboundStore } from './outbound-store.ts';
import type { PaceStore } from './pace-store.ts';
import type { RecurringTaskStore } from './recurring-task-store.ts';
import type { TenantStore } from './tenant-store.ts';

/** Everything that is kept. Inside a transaction the same type works on that transaction. */
export type Storage = {
  readonly outbound: OutboundStore;
  readonly inbound: InboundStore;
  readonly idempotency: IdempotencyStore;
  readonly tenants: TenantStore;
  readonly keys: KeyStore;
  readonly credentials: CredentialStore;
  readonly deliveries: DeliveryStore;
  readonly recurringTasks: RecurringTaskStore;
  readonly pace: PaceStore;
  readonly audit: AuditStore;
  readonly codeLists: CodeListStore;
  readonly archive: ArchiveStore;
  /**
   * Stores a file, if it is large, ahead of the transaction that is about to refer to it, so that nobody waits for its bytes.
   * These change hands: go on with what is returned. Within a transaction nothing happens.
   */
  readonly storeAhead: (tenant: Edb, file: StoredFile) => Promise<FileToKeep>;
  /** All or nothing, and durable when it returns. No network call belongs inside. */
  readonly transaction: <Result>(work: (tx: Storage) => Promise<Result>) => Promise<Result>;
};
