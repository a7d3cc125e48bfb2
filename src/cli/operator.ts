import type { CheckAccount } from '../application/accounts/check-account.ts';
import type { ManageCredentials } from '../application/accounts/manage-credentials.ts';
import type { ManageKeys } from '../application/accounts/manage-keys.ts';
import type { ManageTenants } from '../application/accounts/manage-tenants.ts';
import type { RemoveCredential } from '../application/accounts/remove-credential.ts';
import type { ResealCredentials } from '../application/accounts/reseal-credentials.ts';
import type { SealAuditTrail } from '../application/audit/seal-audit-trail.ts';
import type { VerifyAuditTrail } from '../application/audit/verify-audit-trail.ts';
import type { RefreshCodeList } from '../application/code-lists/cached-code-list.ts';
import type { ImportInbound } from '../application/inbound/import-inbound.ts';
import type { ListInboundProblems } from '../application/inbound/list-inbound-problems.ts';
import type { ArchiveOutcome, ArchiveRequest } from '../application/maintenance/archive-documents.ts';
import type { ManageOperators } from '../application/operators/manage-operators.ts';
import type { FindOutboundTenant } from '../application/outbound/find-outbound-tenant.ts';
import type { InspectOutbound } from '../application/outbound/inspect-outbound.ts';
import type { ReferenceRefusals } from '../application/outbound/reference-refusals.ts';
import type { ReopenOutbound } from '../application/outbound/reopen-outbound.ts';
import type { RequeueOutbound } from '../application/outbound/requeue-outbound.ts';
import type { RetryFailed } from '../application/outbound/retry-failed.ts';
import type { AuthorityProbe } from '../application/ports/authority-probe.ts';
import type { Timers } from '../application/ports/platform.ts';
import type { StageOutage } from '../application/ports/simulator-outage.ts';
import type { AuditStore } from '../application/ports/storage/audit-store.ts';
import type { SendProbeDocument } from '../application/probe/send-probe-document.ts';
import type { CheckStoredBytes } from '../application/recovery/check-stored-bytes.ts';
import type { HoldDelivery } from '../application/recovery/hold-delivery.ts';
import type { Reconcile } from '../application/recovery/reconcile.ts';
import type { SearchDocuments } from '../application/search/search-documents.ts';
import type { RequestVoid } from '../application/voiding/request-void.ts';

/** The use cases of the command line. */
export type Operator = {
  /** For pauses while a command waits, and for the speed of its progress. */
  readonly timers: Timers;
  /** Migrations that were applied when the database was opened. */
  readonly migrated: readonly { readonly version: number; readonly name: string }[];
  readonly tenants: ManageTenants;
  readonly credentials: ManageCredentials;
  readonly removeCredential: RemoveCredential;
  /** From PKCS12_PASSWORD; null where it is not set. */
  readonly pkcs12Password: string | null;
  readonly resealCredentials: ResealCredentials;
  readonly checkStoredBytes: CheckStoredBytes;
  readonly deliveryHold: HoldDelivery;
  readonly reconcile: Reconcile;
  readonly checkAccount: CheckAccount;
  readonly keys: ManageKeys;
  readonly operators: ManageOperators;
  /** A new password for an account of the console. */
  readonly newPassword: () => string;
  readonly importInbound: ImportInbound;
  readonly listInboundProblems: ListInboundProblems;
  readonly searchDocuments: SearchDocuments;
  readonly retryFailed: RetryFailed;
  readonly findOutboundTenant: FindOutboundTenant;
  readonly requeueOutbound: RequeueOutbound;
  readonly reopenOutbound: ReopenOutbound;
  readonly inspectOutbound: InspectOutbound;
  readonly voids: RequestVoid;
  /** `folder` null means ARCHIVE_DIR. */
  readonly archive: (
    request: Omit<ArchiveRequest, 'folder' | 'isServed' | 'lock'> & { readonly folder: string | null },
  ) => Promise<ArchiveOutcome>;
  readonly readAudit: AuditStore['read'];
  readonly sealAudit: SealAuditTrail['sealNow'];
  readonly verifyAudit: VerifyAuditTrail;
  readonly authorityProbe: Pick<AuthorityProbe, 'count' | 'run'>;
  readonly sendProbeDocument: SendProbeDocument;
  readonly refreshCodeList: RefreshCodeList;
  readonly referenceRefusals: ReferenceRefusals;
  readonly stageOutage: StageOutage;
};
