import type { ApiKey, LimitedKey } from '../domain/api-key.ts';
import type { CodeListEntry, CodeListType } from '../domain/code-list.ts';
import type { DocUid } from '../domain/doc-uid.ts';
import type { Edb } from '../domain/edb.ts';
import type { InvoiceFacts } from '../domain/invoice-facts.ts';
import type {
  AuthorityAnswer,
  OutboundDocument,
  OutboundRepresentation,
  OutboundSummary,
  StatusChange,
} from '../domain/outbound-document.ts';
import type { OutboundEvent, OutboundStatus } from '../domain/outbound-status.ts';
import type { PageRequest } from '../domain/page.ts';
import type { AuthorityEnvironment, Tenant, TenantSettings } from '../domain/tenant.ts';
import type { Allowance } from '../domain/token-bucket.ts';
import type { ArchiveStore } from './archive-ports.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { DeliveryStore, ErrandStore, PaceStore } from './delivery-ports.ts';
import type { FileToKeep, StoredFile } from './document-reader.ts';
import type { InboundStore } from './inbound-ports.ts';

export type Clock = { readonly now: () => number };

export type Chance = { readonly bytes: (count: number) => Uint8Array };

export type KeySecrets = {
  /** A new secret, shown once to the operator. */
  readonly issue: () => string;
  readonly hash: (secret: string) => Uint8Array;
  /** Whether the text can be a key of ours at all; spares the look-up of nonsense. */
  readonly plausible: (secret: string) => boolean;
};

export type AddressList = {
  readonly includes: (list: readonly string[], address: string) => boolean;
  readonly isValidEntry: (entry: string) => boolean;
};

export type RateLimiter = {
  readonly take: (key: LimitedKey) => Promise<Allowance>;
};

export type Hasher = { readonly sha256: (content: Uint8Array | string) => Uint8Array };

export type DateRange = { readonly from: number | null; readonly to: number | null };

export type OutboundFilter = {
  readonly created: DateRange;
  readonly statuses: readonly OutboundStatus[] | null;
  readonly partnerEdb: string | null;
};

export type Listed<Item> = { readonly items: readonly Item[]; readonly totalCount: number };

export type NewOutbound = {
  readonly facts: InvoiceFacts;
  readonly partnerEdb: string | null;
  readonly ubl: FileToKeep;
  readonly pdf: FileToKeep | null;
  readonly software: string;
  /** How long it stays in status 10 before a worker takes it, so that a cancel can still come. */
  readonly holdMs: number;
};

export type Placed = { readonly docUid: DocUid; readonly at: number };

export type StoredRepresentation = StoredFile & { readonly documentNumber: string | null };

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

/** The first answer to a submission, kept for an hour under the client's idempotency key. */
export type Submission = {
  readonly contentSha256: Uint8Array;
  readonly docUid: DocUid;
  readonly receivedAt: number;
};

export type SubmissionKey = {
  readonly tenant: Edb;
  readonly software: string;
  readonly idempotencyKey: Uint8Array;
};

export type SubmissionStore = {
  /** The submission under this key that is still remembered at that time. */
  readonly find: (key: SubmissionKey, now: number) => Promise<Submission | null>;
  /** Takes the key if it is free at that time; false when another process holds it. */
  readonly remember: (key: SubmissionKey, submission: Submission, forgetAt: number, now: number) => Promise<boolean>;
  /** Forgets what is past its hour, at most `limit` rows; returns how many. */
  readonly forgetExpired: (now: number, limit: number) => Promise<number>;
};

export type TenantStore = {
  readonly add: (tenant: TenantSettings, now: number) => Promise<boolean>;
  readonly find: (edb: Edb) => Promise<Tenant | null>;
  readonly list: () => Promise<readonly Tenant[]>;
  /** Changes the settings; whether delivery is stopped stays as it is. */
  readonly update: (tenant: TenantSettings) => Promise<boolean>;
  /** Leaves the tenant alone for a while, longer each time in a row; returns until when. One that is stopped stays so. */
  readonly stop: (edb: Edb, reason: string, now: number) => Promise<number>;
  /** The next stop is a first one again. */
  readonly resume: (edb: Edb) => Promise<void>;
};

export type KeyStore = {
  readonly add: (key: ApiKey, secretSha256: Uint8Array) => Promise<void>;
  readonly findBySecret: (
    secretSha256: Uint8Array,
  ) => Promise<{ readonly key: ApiKey; readonly tenant: Tenant } | null>;
  readonly find: (keyId: string) => Promise<ApiKey | null>;
  readonly list: (tenant: Edb | null) => Promise<readonly ApiKey[]>;
  readonly update: (key: ApiKey) => Promise<void>;
};

/** A tenant's certificate at the authority; its private key sealed with a key that is not in the database. */
export type SealedCredential = {
  readonly tenant: Edb;
  /** PEM. */
  readonly certificate: string;
  /** Hexadecimal, upper case, without leading zeros. */
  readonly serialNumber: string;
  readonly validTo: number;
  readonly sealedKey: Uint8Array;
  /** Which key sealed it: a fingerprint. */
  readonly sealedBy: string;
  readonly changedAt: number;
};

export type CredentialStore = {
  readonly find: (tenant: Edb) => Promise<SealedCredential | null>;
  readonly list: () => Promise<readonly SealedCredential[]>;
  /** Replaces the one before. */
  readonly save: (credential: SealedCredential) => Promise<void>;
};

export type AuditFilter = {
  readonly tenant: Edb | null;
  readonly keyId: string | null;
  readonly docUid: DocUid | null;
  readonly since: number | null;
  readonly until: number | null;
  readonly limit: number;
};

export type AuditStore = {
  readonly append: (entries: readonly AuditEntry[]) => Promise<void>;
  /** Newest first. */
  readonly read: (filter: AuditFilter) => Promise<readonly AuditEntry[]>;
};

export type CachedCodeList = { readonly entries: readonly CodeListEntry[]; readonly readAt: number };

export type CodeListStore = {
  readonly find: (environment: AuthorityEnvironment, type: CodeListType) => Promise<CachedCodeList | null>;
  readonly save: (environment: AuthorityEnvironment, type: CodeListType, list: CachedCodeList) => Promise<void>;
};

/** Everything that is kept. Inside a transaction the same type works on that transaction. */
export type Storage = {
  readonly outbound: OutboundStore;
  readonly inbound: InboundStore;
  readonly submissions: SubmissionStore;
  readonly tenants: TenantStore;
  readonly keys: KeyStore;
  readonly credentials: CredentialStore;
  readonly deliveries: DeliveryStore;
  readonly errands: ErrandStore;
  readonly pace: PaceStore;
  readonly audit: AuditStore;
  readonly codeLists: CodeListStore;
  readonly archive: ArchiveStore;
  /**
   * Stores a file, if it is large, ahead of the transaction that is about to refer to it, so that nobody waits for its bytes.
   * These change hands: go on with what is returned. Within a transaction nothing happens.
   */
  readonly storeAhead: (tenant: Edb, file: StoredFile) => Promise<FileToKeep>;
  /** All or nothing, and durable when it returns. No network call belongs inside. */
  readonly transaction: <Result>(work: (tx: Storage) => Promise<Result>) => Promise<Result>;
};
