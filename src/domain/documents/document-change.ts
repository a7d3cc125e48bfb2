import type { AuthorityStatus } from './authority-status.ts';
import type { ConversionWarning } from './conversion-warning.ts';
import type { DocUid } from './doc-uid.ts';
import type { DocumentKind } from './invoice-facts.ts';
import type { AuthorityAnswer, OutboundSummary } from './outbound-document.ts';
import type { OutboundStatus } from './outbound-status.ts';

/**
 * What changed: `status` is a row of the outbound document's history, `authority-status` a later status of the authority, `container`
 * says that the authority's file can be read, `warnings` that the conversion has other warnings than before. Later versions may have more.
 */
export type ChangeKind = 'status' | 'authority-status' | 'container' | 'warnings' | 'arrived' | 'acknowledged';

type Entry = {
  /** Within the tenant; the next entry has the next number. */
  readonly number: number;
  readonly at: number;
  readonly kind: ChangeKind;
  readonly docUid: DocUid;
};

/** What never changes of a document, so that a reader need not ask for it. */
type OutboundFacts = Omit<OutboundSummary, 'docUid' | 'status'> & { readonly documentKind: DocumentKind };

export type OutboundChange = Entry & {
  readonly direction: 'outbound';
  /** After the change. */
  readonly status: OutboundStatus;
  readonly failureCode: string | null;
  /** As it was after the change; null where there was none, and for changes that leave it as it is. */
  readonly ujp: AuthorityAnswer | null;
  /** By the authority's clock, where it says so. */
  readonly authorityStatusAt: number | null;
  /** For changes of the warnings alone. */
  readonly warnings: readonly ConversionWarning[] | null;
  readonly facts: OutboundFacts;
};

export type InboundChange = Entry & {
  readonly direction: 'inbound';
  /** Null for changes that leave it as it is, and where there is none. */
  readonly authorityStatus: AuthorityStatus | null;
  readonly facts: {
    readonly receivedAt: number;
    readonly senderName: string | null;
    readonly senderEdb: string | null;
    readonly documentNumber: string | null;
    /** An exact decimal in plain notation. */
    readonly amount: string | null;
    readonly currency: string | null;
  };
};

/** One entry of a tenant's change feed; it never changes. */
export type DocumentChange = OutboundChange | InboundChange;
