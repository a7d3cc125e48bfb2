import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { DocumentKind } from '../../../domain/documents/invoice-facts.ts';
import type { AuthorityAnswer } from '../../../domain/documents/outbound-document.ts';
import type { OutboundStatus } from '../../../domain/documents/outbound-status.ts';
import type { AuthorityStatusChange, EarlierDocument, PreparedDocument } from '../authority.ts';
import type { FileToKeep } from '../stored-file.ts';

/** A document that a worker has taken for a while. */
export type ClaimedDocument = {
  readonly docUid: DocUid;
  readonly status: OutboundStatus;
  readonly kind: DocumentKind;
  readonly documentNumber: string | null;
  readonly partnerEdb: string | null;
  readonly failures: number;
  readonly euid: string | null;
  readonly ujp: AuthorityAnswer | null;
};

export type Lease = { readonly token: string; readonly until: number };

/** What is signed and sent, and when it last was. */
export type StoredPayload = PreparedDocument & {
  readonly warnings: readonly string[];
  readonly requestTimestamp: string | null;
  readonly sentAt: number | null;
};

/** One try at the authority: `send` to register, `look-up` for an answer that was lost, `prepare` when it came to no more. */
export type RecordedAttempt = {
  readonly act: 'prepare' | 'send' | 'look-up';
  readonly startedAt: number;
  /** Null while it is under way, or when it was cut off. */
  readonly endedAt: number | null;
  readonly outcome: AttemptOutcome | null;
  readonly failureCode: string | null;
  readonly message: string | null;
  /** The authority's answer as it came, shortened. */
  readonly answer: string | null;
};

export type AttemptOutcome = 'registered' | 'refused' | 'failed' | 'unknown' | 'not-registered';

export type AttemptEnd = Omit<RecordedAttempt, 'act' | 'startedAt' | 'endedAt'> & { readonly endedAt: number };

/** What a worker comes for: to deliver a document, or to fetch the final form of one that is delivered. */
export type DeliveryStage = 'delivery' | 'final';

export type DeliveryStore = {
  /** Tenants with something due, in the order of their numbers, from the one after the given on; at most `limit` are looked at. */
  readonly tenantsDue: (
    stage: DeliveryStage,
    after: string,
    now: number,
    limit: number,
  ) => Promise<{ readonly tenants: readonly Edb[]; readonly last: string | null }>;
  /** Takes what is due for as long as the lease holds, the longest due first. */
  readonly claim: (
    tenant: Edb,
    stage: DeliveryStage,
    lease: Lease,
    now: number,
    limit: number,
  ) => Promise<readonly ClaimedDocument[]>;
  /** False when the document is somebody else's by now. */
  readonly renew: (tenant: Edb, docUid: DocUid, lease: Lease) => Promise<boolean>;
  /** Lets go of a document without moving it; a worker comes again at `dueAt`, or never. */
  readonly release: (
    tenant: Edb,
    docUid: DocUid,
    token: string,
    next: { readonly dueAt: number | null; readonly failures?: number },
  ) => Promise<boolean>;
  /** Has documents that wait after this failure tried again now. */
  readonly hasten: (tenant: Edb, failureCode: string, now: number) => Promise<void>;
  /** When a worker comes next; null for never. */
  readonly dueAt: (tenant: Edb, docUid: DocUid) => Promise<number | null>;
  readonly payload: (tenant: Edb, docUid: DocUid) => Promise<StoredPayload | null>;
  readonly savePayload: (tenant: Edb, docUid: DocUid, payload: StoredPayload) => Promise<void>;
  readonly dropPayload: (tenant: Edb, docUid: DocUid) => Promise<void>;
  readonly attempts: (tenant: Edb, docUid: DocUid) => Promise<readonly RecordedAttempt[]>;
  /** Puts a try on record; returns its number. */
  readonly beginAttempt: (tenant: Edb, docUid: DocUid, act: RecordedAttempt['act'], at: number) => Promise<number>;
  readonly endAttempt: (tenant: Edb, docUid: DocUid, ordinal: number, end: AttemptEnd) => Promise<void>;
  /** Another document of the same kind and number that is accepted, or under way before this one. */
  readonly findDuplicate: (
    tenant: Edb,
    document: Pick<ClaimedDocument, 'docUid' | 'kind' | 'documentNumber'>,
  ) => Promise<DocUid | null>;
  /** An accepted document by its number and, where given, its date; the newest of several, invoices before credit notes. */
  readonly findAccepted: (tenant: Edb, number: string, date: string | null) => Promise<EarlierDocument | null>;
  /** Keeps the final document, which takes the place of the payload. */
  readonly keepContainer: (tenant: Edb, docUid: DocUid, file: FileToKeep) => Promise<void>;
  /** Writes the authority's later status of a registered document down; false when it is not the tenant's or has it already. */
  readonly follow: (tenant: Edb, change: AuthorityStatusChange) => Promise<boolean>;
};
