import type { Edb } from '../../../domain/accounts/edb.ts';
import type { CallOrigin } from '../../../domain/audit/call-origin.ts';
import type { ConversionWarning } from '../../../domain/documents/conversion-warning.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import type { LeftOutReferences } from '../../../domain/documents/left-out-references.ts';
import type { AuthorityAnswer } from '../../../domain/documents/outbound-document.ts';
import type { OutboundStatus } from '../../../domain/documents/outbound-status.ts';
import type { AuthorityStatusChange, EarlierDocument, PreparedDocument, ReferredDocument } from '../authority.ts';
import type { FileToStore } from '../stored-file.ts';

/** A document that a worker holds under a lease. */
export type ClaimedDocument = {
  readonly docUid: DocUid;
  readonly status: OutboundStatus;
  readonly kind: DocumentKind;
  readonly documentNumber: string | null;
  readonly partnerEdb: string | null;
  readonly failures: number;
  /** The optional references that it is sent without. */
  readonly leftOutReferences: LeftOutReferences | null;
  readonly euid: string | null;
  readonly ujp: AuthorityAnswer | null;
  /** The call that brought it. */
  readonly origin: CallOrigin;
  /** Of the document as it was submitted; what is made of it is of a similar size. */
  readonly bytes: number;
};

export type Lease = { readonly token: string; readonly until: number };

/** The payload that is signed and sent, and when it was sent last. */
export type StoredPayload = PreparedDocument & {
  readonly warnings: readonly ConversionWarning[];
  readonly requestTimestamp: string | null;
  readonly sentAt: number | null;
};

/**
 * One try at the authority: `send` registers, `look-up` resolves a lost answer, `prepare` failed before anything was sent;
 * `void-send` and `void-look-up` are those of the document's void.
 */
export type RecordedAttempt = {
  readonly act: 'prepare' | 'send' | 'look-up' | 'void-send' | 'void-look-up';
  readonly startedAt: number;
  /** Null while it is under way, or when its process died. */
  readonly endedAt: number | null;
  readonly outcome: AttemptOutcome | null;
  readonly failureCode: string | null;
  readonly message: string | null;
  /** The authority's answer as it came, shortened. */
  readonly answer: string | null;
};

export type AttemptOutcome = 'registered' | 'refused' | 'request-refused' | 'failed' | 'unknown' | 'not-registered';

export type AttemptEnd = Omit<RecordedAttempt, 'act' | 'startedAt' | 'endedAt'> & { readonly endedAt: number };

/** What is due: the delivery of a document, or the container of an accepted one. */
export type DeliveryStage = 'delivery' | 'container';

/** How long anything is postponed at most; what is postponed further was written by a wrong clock. */
export type LongestWaits = {
  readonly leaseMs: number;
  /** Of a document whose answer was lost, until the next look-up. */
  readonly lookUpMs: number;
  /** Between two attempts. */
  readonly retryMs: number;
};

export type Duplicate = {
  readonly docUid: DocUid;
  /** Voided after it was accepted. */
  readonly isVoided: boolean;
};

/** Documents of a tenant that failed several times in a row and are tried again. */
export type FailingDocuments = {
  readonly documents: number;
  /** The failure of the one that failed most often. */
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
};

/** A document, or the void of one. */
export type EuidOwner = { readonly docUid: DocUid; readonly isVoid: boolean };

export type DeliveryStore = {
  /** By tenant: documents in the queue with at least so many failures. */
  readonly failing: (failures: number) => Promise<ReadonlyMap<Edb, FailingDocuments>>;
  /** Makes due at `now` what is postponed longer than anything is, at most `limit` documents; returns how many. */
  readonly recallPostponed: (now: number, longest: LongestWaits, limit: number) => Promise<number>;
  /** Whether anything of any tenant is due. */
  readonly isAnyDue: (stage: DeliveryStage, now: number) => Promise<boolean>;
  /** Tenants with something due, ordered by EDB, starting after the given one; reads at most `limit` tenants. */
  readonly tenantsDue: (
    stage: DeliveryStage,
    after: string,
    now: number,
    limit: number,
  ) => Promise<{ readonly tenants: readonly Edb[]; readonly last: string | null }>;
  /** Claims due documents until the lease ends, the longest due first. */
  readonly claim: (
    tenant: Edb,
    stage: DeliveryStage,
    lease: Lease,
    now: number,
    limit: number,
  ) => Promise<readonly ClaimedDocument[]>;
  /** How many documents of the tenant are claimed for delivery, by whichever process, and their leases have not ended. */
  readonly underWay: (tenant: Edb, now: number) => Promise<number>;
  /** Prolongs the lease. False when another worker has claimed the document. */
  readonly renew: (tenant: Edb, docUid: DocUid, lease: Lease) => Promise<boolean>;
  /** Ends the lease without a move; the document is due again at `dueAt`, or never. False when the lease is lost. */
  readonly release: (
    tenant: Edb,
    docUid: DocUid,
    token: string,
    next: { readonly dueAt: number | null; readonly failures?: number },
  ) => Promise<boolean>;
  /** Makes documents due now that wait for a retry after this failure. */
  readonly retryNow: (tenant: Edb, failureCode: string, now: number) => Promise<void>;
  /** When the next step is due; null for never. */
  readonly dueAt: (tenant: Edb, docUid: DocUid) => Promise<number | null>;
  readonly payload: (tenant: Edb, docUid: DocUid) => Promise<StoredPayload | null>;
  readonly savePayload: (tenant: Edb, docUid: DocUid, payload: StoredPayload) => Promise<void>;
  readonly dropPayload: (tenant: Edb, docUid: DocUid) => Promise<void>;
  /** Of a conversion that gave no payload; they go with the next `dropPayload`. */
  readonly saveWarnings: (tenant: Edb, docUid: DocUid, warnings: readonly ConversionWarning[]) => Promise<void>;
  readonly attempts: (tenant: Edb, docUid: DocUid) => Promise<readonly RecordedAttempt[]>;
  /** The number of the last attempt of a kind; within a transaction it stays the last one until the end. */
  readonly lastAttempt: (tenant: Edb, docUid: DocUid, act: RecordedAttempt['act']) => Promise<number | null>;
  /** Puts an attempt on record; returns its number. */
  readonly beginAttempt: (tenant: Edb, docUid: DocUid, act: RecordedAttempt['act'], at: number) => Promise<number>;
  readonly endAttempt: (tenant: Edb, docUid: DocUid, ordinal: number, end: AttemptEnd) => Promise<void>;
  /** Another document of the same kind, number and environment that is accepted, or under way before this one. */
  readonly findDuplicate: (
    tenant: Edb,
    document: Pick<ClaimedDocument, 'docUid' | 'kind' | 'documentNumber'>,
  ) => Promise<Duplicate | null>;
  /** What has this EUID; within a transaction no other document gets it until the end. */
  readonly registeredAs: (tenant: Edb, euid: string) => Promise<EuidOwner | null>;
  /**
   * Documents accepted in the present environment by number and, where given, date, each in the place of its reference; the newest of
   * several, invoices before credit notes.
   */
  readonly findAccepted: (
    tenant: Edb,
    references: readonly ReferredDocument[],
  ) => Promise<readonly (EarlierDocument | null)[]>;
  /** Stores the container, which replaces the payload; a document that has one keeps it. */
  readonly storeContainer: (tenant: Edb, docUid: DocUid, file: FileToStore, at: number) => Promise<void>;
  /** Asks for no container of the tenant any more, also where a worker does so now; returns how many are missing. */
  readonly giveUpContainers: (tenant: Edb) => Promise<number>;
  /** Makes containers due now that wait after a failure. */
  readonly retryContainers: (tenant: Edb, now: number) => Promise<void>;
  /** Asks for all that are missing. */
  readonly askForContainers: (tenant: Edb, now: number) => Promise<void>;
  /**
   * Records a later status of a registered document, and its row of the history where it is one, each once. False when the
   * tenant has no such document, or when nothing of it is new. `now` is the time of the row where the authority gives none.
   */
  readonly recordAuthorityStatus: (tenant: Edb, change: AuthorityStatusChange, now: number) => Promise<boolean>;
};
