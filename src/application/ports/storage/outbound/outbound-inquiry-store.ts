import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { OutboundStatus } from '../../../../domain/documents/outbound-status.ts';

/** By what a document is asked for: its number, the SHA-256 of the bytes that were submitted, or the authority's identifier. */
export type OutboundMark =
  | { readonly by: 'documentNumber'; readonly value: string }
  | { readonly by: 'sha256'; readonly value: Uint8Array }
  | { readonly by: 'euid'; readonly value: string };

export type FoundOutbound = {
  readonly docUid: DocUid;
  readonly status: OutboundStatus;
  readonly createdAt: number;
  /** Of the submitted bytes. */
  readonly sha256: Uint8Array | null;
  readonly archivedAt: number | null;
  /** When the next step is due, or the lease of the worker that has it ends; null for never. */
  readonly dueAt: number | null;
  readonly isClaimed: boolean;
};

export type OutboundInquiryStore = {
  /** The newest first; also documents whose files are archived. */
  readonly find: (tenant: Edb, mark: OutboundMark, limit: number) => Promise<readonly FoundOutbound[]>;
};
