import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../../../domain/documents/outbound-status.ts';
import type { RecordedAttempt } from '../delivery-store.ts';

/** A registration at the authority that does not fit what is on record of the document, or of its void. */
export type StrayRegistration = {
  readonly euid: string;
  /** The attempt that brought it. */
  readonly act: RecordedAttempt['act'];
  /** The status in which the document was found. */
  readonly status: OutboundStatus;
  readonly registeredAt: string | null;
  readonly recordedAt: number;
  /** The authority's answer as it came, shortened. */
  readonly answer: string | null;
};

/** And the document beside which it is kept. */
export type KeptStray = StrayRegistration & { readonly tenant: Edb; readonly docUid: DocUid };

export type StrayRegistrationStore = {
  /** False when it is on record already. */
  readonly add: (tenant: Edb, docUid: DocUid, stray: StrayRegistration) => Promise<boolean>;
  /** The oldest first. */
  readonly list: (tenant: Edb, docUid: DocUid) => Promise<readonly StrayRegistration[]>;
  /** Those of all tenants that were recorded since then, the newest first. */
  readonly recent: (since: number, limit: number) => Promise<readonly KeptStray[]>;
};
