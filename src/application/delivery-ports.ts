import type { DocUid } from '../domain/doc-uid.ts';
import type { Edb } from '../domain/edb.ts';
import type { DocumentKind } from '../domain/invoice-facts.ts';
import type { AuthorityAnswer } from '../domain/outbound-document.ts';
import type { OutboundStatus } from '../domain/outbound-status.ts';
import type { AuthorityEnvironment } from '../domain/tenant.ts';
import type { AuthorityStatusChange, EarlierDocument, PreparedDocument } from './authority.ts';
import type { FileToKeep } from './document-reader.ts';

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
export type Attempt = {
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

export type AttemptEnd = Omit<Attempt, 'act' | 'startedAt' | 'endedAt'> & { readonly endedAt: number };

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
  readonly attempts: (tenant: Edb, docUid: DocUid) => Promise<readonly Attempt[]>;
  /** Puts a try on record; returns its number. */
  readonly beginAttempt: (tenant: Edb, docUid: DocUid, act: Attempt['act'], at: number) => Promise<number>;
  readonly endAttempt: (tenant: Edb, docUid: DocUid, ordinal: number, end: AttemptEnd) => Promise<void>;
  /** Another document of the same kind and number that is accepted, or under way before this one. */
  readonly findRival: (
    tenant: Edb,
    document: Pick<ClaimedDocument, 'docUid' | 'kind' | 'documentNumber'>,
  ) => Promise<DocUid | null>;
  /** An accepted document by its number and, where given, its date; the newest of several, invoices before credit notes. */
  readonly findAccepted: (tenant: Edb, number: string, date: string | null) => Promise<EarlierDocument | null>;
  /** Keeps the final document, which takes the place of the payload. */
  readonly keepFinal: (tenant: Edb, docUid: DocUid, file: FileToKeep) => Promise<void>;
  /** Writes the authority's later status of a registered document down; false when it is not the tenant's or has it already. */
  readonly follow: (tenant: Edb, change: AuthorityStatusChange) => Promise<boolean>;
};

/** Something done for a tenant again and again. */
export type ErrandName = 'collect' | 'follow' | 'lists';

export type ClaimedErrand = {
  readonly tenant: Edb;
  readonly name: ErrandName;
  /** What the errand wrote down for itself the last time. */
  readonly note: string | null;
  readonly failures: number;
};

export type ErrandStore = {
  /** Sees to it that the tenant's errands are run; leaves those alone that are. */
  readonly enrol: (tenant: Edb, names: readonly ErrandName[], dueAt: number) => Promise<void>;
  readonly claim: (lease: Lease, now: number, limit: number) => Promise<readonly ClaimedErrand[]>;
  readonly settle: (
    errand: Pick<ClaimedErrand, 'tenant' | 'name'>,
    token: string,
    next: {
      readonly dueAt: number;
      readonly note: string | null;
      readonly failures: number;
      readonly failure: string | null;
    },
  ) => Promise<boolean>;
  /** Has an errand run now, if the tenant has it and nobody is at it. */
  readonly hasten: (tenant: Edb, name: ErrandName, now: number) => Promise<void>;
};

export type PaceStore = {
  /** Takes the user's next free turn and returns when it is. */
  readonly reserve: (
    environment: AuthorityEnvironment,
    eujpId: string,
    now: number,
    intervalMs: number,
  ) => Promise<number>;
};
