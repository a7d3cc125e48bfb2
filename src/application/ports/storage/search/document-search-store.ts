import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { DocumentKind } from '../../../../domain/documents/invoice-facts.ts';
import type { OutboundStatus } from '../../../../domain/documents/outbound-status.ts';

/** By what a document is looked for. The SHA-256 is that of the bytes that were submitted or arrived. */
export type DocumentMark =
  | { readonly by: 'docUid'; readonly value: DocUid }
  | { readonly by: 'documentNumber'; readonly value: string }
  | { readonly by: 'euid'; readonly value: string }
  | { readonly by: 'sha256'; readonly value: Uint8Array };

/** What both searches have; null where it does not matter. */
type Search = {
  readonly tenant: Edb | null;
  /** Tax number of the buyer or sender, however it is written. */
  readonly partner: string | null;
  readonly mark: DocumentMark | null;
  /** Submitted or arrived in this time. */
  readonly since: number | null;
  readonly until: number | null;
  /** Only documents that are older than this one: the last of the page before. */
  readonly olderThan: DocUid | null;
};

export type OutboundSearch = Search & {
  readonly statuses: readonly OutboundStatus[] | null;
  readonly failureCode: string | null;
};

export type InboundSearch = Search & { readonly onlyNotImported: boolean };

export type ListedOutbound = {
  readonly tenant: Edb;
  readonly docUid: DocUid;
  readonly status: OutboundStatus;
  readonly kind: DocumentKind;
  readonly documentNumber: string | null;
  readonly partnerEdb: string | null;
  readonly partnerName: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly sha256: Uint8Array | null;
  readonly euid: string | null;
  readonly failureCode: string | null;
  readonly createdAt: number;
  readonly archivedAt: number | null;
};

export type ListedInbound = {
  readonly tenant: Edb;
  readonly docUid: DocUid;
  readonly documentNumber: string | null;
  readonly senderEdb: string | null;
  readonly senderName: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly sha256: Uint8Array;
  /** In small letters; null where the document did not come from the authority. */
  readonly euid: string | null;
  readonly authorityStatus: string | null;
  readonly receivedAt: number;
  readonly ackedAt: number | null;
  readonly archivedAt: number | null;
};

/** Documents in status 55 with this code that failed in this time. */
export type FailedSearch = {
  readonly tenant: Edb | null;
  readonly failureCode: string;
  readonly since: number | null;
  readonly until: number;
};

export type DocumentName = { readonly tenant: Edb; readonly docUid: DocUid };

/** Documents of all tenants, for the operator; the newest first. */
export type DocumentSearchStore = {
  readonly outbound: (search: OutboundSearch, limit: number) => Promise<readonly ListedOutbound[]>;
  readonly inbound: (search: InboundSearch, limit: number) => Promise<readonly ListedInbound[]>;
  readonly countFailed: (search: FailedSearch) => Promise<number>;
  /** The oldest first, from the one after `after` on; so many at most, and none only where there are no more. */
  readonly failed: (search: FailedSearch, after: DocUid | null, limit: number) => Promise<readonly DocumentName[]>;
};
