import type { AuthorityStatus } from './authority-status.ts';
import type { DocUid } from './doc-uid.ts';

export type InboundSummary = {
  readonly docUid: DocUid;
  readonly receivedAt: number;
  readonly senderName: string | null;
  readonly senderEdb: string | null;
  readonly ackedAt: number | null;
};

export type InboundDocument = InboundSummary & {
  readonly documentNumber: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  /** Null where the document did not come from the authority, or its status is not known yet. */
  readonly authorityStatus: AuthorityStatus | null;
};

export const INBOUND_REPRESENTATIONS = ['original', 'ubl', 'pdf'] as const;
export type InboundRepresentation = (typeof INBOUND_REPRESENTATIONS)[number];
