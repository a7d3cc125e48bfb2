import type { Edb } from '../../../domain/accounts/edb.ts';
import type { CallOrigin } from '../../../domain/audit/call-origin.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { InvoiceFacts } from '../../../domain/documents/invoice-facts.ts';
import type { LeftOutReferences } from '../../../domain/documents/left-out-references.ts';
import type {
  AuthorityAnswer,
  OutboundDocument,
  OutboundRepresentation,
  OutboundSummary,
  StatusChange,
} from '../../../domain/documents/outbound-document.ts';
import type { OutboundEvent, OutboundStatus } from '../../../domain/documents/outbound-status.ts';
import type { Sentence } from '../../../domain/messages/message.ts';
import type { PageRequest } from '../../../domain/values/page.ts';
import type { FileToStore } from '../stored-file.ts';
import type { DateRange, Listed, StoredDocument, StoredRepresentation } from './lists.ts';

export type OutboundFilter = {
  readonly created: DateRange;
  readonly statuses: readonly OutboundStatus[] | null;
  readonly partnerEdb: string | null;
};

export type NewOutbound = {
  readonly facts: InvoiceFacts;
  readonly partnerEdb: string | null;
  readonly ubl: FileToStore;
  readonly pdf: FileToStore | null;
  readonly software: string;
  /** How long the document stays in status 10, so that it can still be cancelled. */
  readonly holdMs: number;
  /** The call that brought it, where one did. */
  readonly origin?: CallOrigin;
};

/** What a change of status stores in addition to the status. */
export type MoveRecord = {
  readonly at: number;
  readonly failureCode: string | null;
  /** In English. */
  readonly failureMessage: string | null;
  /** The failure message in no language yet. */
  readonly failureSentences?: readonly Sentence[];
  /** Replaces the authority's answer when given; null removes it. */
  readonly ujp?: AuthorityAnswer | null;
  /** The optional references that it is sent without from now on; unchanged when left out. */
  readonly leftOutReferences?: LeftOutReferences;
  /** When the next step is due; without it no worker claims the document again. */
  readonly dueAt?: number;
  /** Failed attempts since the document was queued; unchanged when left out. */
  readonly failures?: number;
  /** For a worker: the change is made only while its lease is valid. Without `leaseUntil` the lease ends with it. */
  readonly lease?: { readonly token: string; readonly leaseUntil?: number };
};

export type OutboundStore = {
  /** Stores the document in status 10, with its first history row and as the newest of the list. */
  readonly add: (tenant: Edb, document: NewOutbound, now: number) => Promise<StoredDocument>;
  readonly find: (tenant: Edb, docUid: DocUid) => Promise<OutboundDocument | null>;
  readonly list: (tenant: Edb, filter: OutboundFilter, page: PageRequest) => Promise<Listed<OutboundSummary>>;
  readonly history: (tenant: Edb, docUid: DocUid) => Promise<readonly StatusChange[]>;
  /** Which files there are, in the database or in the archive. */
  readonly formats: (tenant: Edb, docUid: DocUid) => Promise<readonly OutboundRepresentation[]>;
  readonly file: (
    tenant: Edb,
    docUid: DocUid,
    representation: OutboundRepresentation,
  ) => Promise<StoredRepresentation | null>;
  /**
   * Changes the status by one event or several at once, with a history row for each; the failure belongs to the last one.
   * Returns false when the document is no longer in status `from`: another process has changed it.
   */
  readonly move: (
    tenant: Edb,
    docUid: DocUid,
    from: OutboundStatus,
    events: OutboundEvent | readonly OutboundEvent[],
    record: MoveRecord,
  ) => Promise<boolean>;
};
