import type { ArchiveOutcome, ArchiveRequest } from '../application/archive-documents.ts';
import type { RefreshCodeList } from '../application/cached-code-list.ts';
import type { CheckAccount } from '../application/check-account.ts';
import type { FindOutboundOwner } from '../application/find-outbound-owner.ts';
import type { ImportInbound } from '../application/import-inbound.ts';
import type { ManageCredentials } from '../application/manage-credentials.ts';
import type { ManageKeys } from '../application/manage-keys.ts';
import type { ManageTenants } from '../application/manage-tenants.ts';
import type { AuditStore } from '../application/ports.ts';
import type { ReadOutbound } from '../application/read-outbound.ts';
import type { RequeueOutbound } from '../application/requeue-outbound.ts';
import type { StageOutage } from '../application/stage-outage.ts';
import type { TellOutboundStory } from '../application/tell-outbound-story.ts';

/** Everything the command line can do, as the composition root wires it. */
export type Operator = {
  /** What opening the database had to change in its tables. */
  readonly migrated: readonly { readonly version: number; readonly name: string }[];
  readonly tenants: ManageTenants;
  readonly credentials: ManageCredentials;
  readonly checkAccount: CheckAccount;
  readonly keys: ManageKeys;
  readonly importInbound: ImportInbound;
  readonly findOutboundOwner: FindOutboundOwner;
  readonly requeueOutbound: RequeueOutbound;
  readonly readOutbound: ReadOutbound;
  readonly tellOutboundStory: TellOutboundStory;
  readonly archive: (request: Omit<ArchiveRequest, 'folder'> & { readonly folder: string }) => Promise<ArchiveOutcome>;
  readonly readAudit: AuditStore['read'];
  readonly refreshCodeList: RefreshCodeList;
  readonly stageOutage: StageOutage;
};
