import type { Edb } from '../../../domain/accounts/edb.ts';
import type { FileToStore, StoredFile } from '../stored-file.ts';
import type { ArchiveStore } from './archive-store.ts';
import type { AuditSealStore } from './audit-seal-store.ts';
import type { AuditStore } from './audit-store.ts';
import type { ChangeStore } from './changes/change-store.ts';
import type { CodeListStore } from './code-list-store.ts';
import type { CredentialStore } from './credential-store.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { ArrivalProblemStore, InboundStore } from './inbound-store.ts';
import type { KeyStore } from './key-store.ts';
import type { ActivityStore } from './operations/activity-store.ts';
import type { OverviewStore } from './operations/overview-store.ts';
import type { ProcessStore } from './operations/process-store.ts';
import type { OperatorStore } from './operators/operator-store.ts';
import type { OutboundInquiryStore } from './outbound/outbound-inquiry-store.ts';
import type { StoreSubmission } from './outbound/store-submission.ts';
import type { StrayRegistrationStore } from './outbound/stray-registration-store.ts';
import type { VoidStore } from './outbound/void-store.ts';
import type { OutboundStore } from './outbound-store.ts';
import type { PaceStore } from './pace-store.ts';
import type { DeliveryHoldStore } from './recovery/delivery-hold-store.ts';
import type { LostRegistrationStore } from './recovery/lost-registration-store.ts';
import type { RecurringTaskStore } from './recurring-task-store.ts';
import type { ReferenceRefusalStore } from './reference-refusal-store.ts';
import type { DocumentSearchStore } from './search/document-search-store.ts';
import type { TenantStore } from './tenant-store.ts';
import type { WorkloadStore } from './workload/workload-store.ts';

/** All stores. Inside a transaction the same type works on that transaction. */
export type Storage = {
  readonly outbound: OutboundStore;
  readonly outboundInquiries: OutboundInquiryStore;
  readonly inbound: InboundStore;
  readonly documentSearch: DocumentSearchStore;
  readonly arrivalProblems: ArrivalProblemStore;
  readonly idempotency: IdempotencyStore;
  readonly tenants: TenantStore;
  readonly keys: KeyStore;
  readonly operators: OperatorStore;
  readonly activity: ActivityStore;
  readonly overview: OverviewStore;
  readonly processes: ProcessStore;
  readonly credentials: CredentialStore;
  readonly deliveries: DeliveryStore;
  readonly voids: VoidStore;
  readonly strayRegistrations: StrayRegistrationStore;
  readonly deliveryHold: DeliveryHoldStore;
  readonly lostRegistrations: LostRegistrationStore;
  readonly recurringTasks: RecurringTaskStore;
  readonly pace: PaceStore;
  readonly audit: AuditStore;
  readonly auditSeals: AuditSealStore;
  readonly codeLists: CodeListStore;
  readonly referenceRefusals: ReferenceRefusalStore;
  readonly archive: ArchiveStore;
  readonly changes: ChangeStore;
  readonly workload: WorkloadStore;
  /**
   * Stores a large file before the transaction that refers to it, so that the transaction stays short and other writers do
   * not wait. Takes the bytes over: use the returned file afterwards. Small files, and all within a transaction, are returned
   * unchanged.
   */
  readonly storeLargeFile: (tenant: Edb, file: StoredFile) => Promise<FileToStore>;
  readonly storeSubmission: StoreSubmission;
  /** All or nothing, and durable when it returns. Must not contain network calls. */
  readonly transaction: <Result>(work: (tx: Storage) => Promise<Result>) => Promise<Result>;
};
