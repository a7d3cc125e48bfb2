import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { InvoiceFacts } from '../../../domain/documents/invoice-facts.ts';
import type {
  AuthorityAnswer,
  OutboundDocument,
  OutboundRepresentation,
  OutboundSummary,
  StatusChange,
} from '../../../domain/documents/outbound-document.ts';
import type { OutboundEvent, OutboundStatus } from '../../../domain/documents/outbound-status.ts';
import type { PageRequest } from '../../../domain/values/page.ts';
import type { FileToKeep } from '../stored-file.ts';
import type { DateRange, Listed, Placed, StoredRepresentation } from './lists.ts';

export type OutboundFilter = {
  readonly created: DateRange;
  readonly statuses: readonly OutboundStatus[] | null;
  readonly partnerEdb: string | null;
};

export type NewOutbound = {
  readonly facts: InvoiceFacts;
  readonly partnerEdb: string | null;
  readonly ubl: FileToKeep;
  readonly pdf: FileToKeep | null;
  readonly software: string;
  /** How long it stays in status 10 before a worker takes it, so that a cancel can still come. */
  readonly holdMs: number;
};

/** What a move records beside the status itself. */
export type MoveRecord = {
  readonly at: number;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  /** Replaces the authority's answer when given. */
  readonly ujp?: AuthorityAnswer;
  /** When a worker shall come next; nobody comes where it is left out. */
  readonly dueAt?: number;
  /** Failed tries since the document was queued; they stay as they are where it is left out. */
  readonly failures?: number;
  /** For a worker: the move happens only while it holds the document. It lets go unless it says when it will be done. */
  readonly lease?: { readonly token: string; readonly keptUntil?: number };
};

export type OutboundStore = {
  /** Stores the document in status 10 with its first history row and puts it at the head of the list. */
  readonly add: (tenant: Edb, document: NewOutbound, now: number) => Promise<Placed>;
  readonly find: (tenant: Edb, docUid: DocUid) => Promise<OutboundDocument | null>;
  readonly list: (tenant: Edb, filter: OutboundFilter, page: PageRequest) => Promise<Listed<OutboundSummary>>;
  readonly history: (tenant: Edb, docUid: DocUid) => Promise<readonly StatusChange[]>;
  readonly file: (
    tenant: Edb,
    docUid: DocUid,
    representation: OutboundRepresentation,
  ) => Promise<StoredRepresentation | null>;
  /**
   * Moves a document from the status it was seen in, by one event or by several at one moment, with a history row for
   * each; a failure belongs to the last. False when it is no longer there: somebody else was first.
   */
  readonly move: (
    tenant: Edb,
    docUid: DocUid,
    from: OutboundStatus,
    events: OutboundEvent | readonly OutboundEvent[],
    record: MoveRecord,
  ) => Promise<boolean>;
};
