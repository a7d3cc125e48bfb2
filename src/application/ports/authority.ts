import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { AuthorityStatus } from '../../domain/documents/authority-status.ts';
import type { ConversionWarning } from '../../domain/documents/conversion-warning.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { LeftOutReferences } from '../../domain/documents/left-out-references.ts';
import { type AuthorityError, authorityCodeOf } from '../../domain/documents/outbound-document.ts';
import type { Message, Sentence } from '../../domain/messages/message.ts';
import type { FailureCode } from '../errors/failure-catalogue.ts';
import type { DocumentContent } from './document-reader.ts';

/**
 * Why a call to the authority brought no usable answer: `unreachable` no connection · `timeout` no answer in time · `busy`
 * throttled · `error` it failed, or its answer cannot be read · `credentials` it does not accept the account, or the account is
 * incomplete · `request-refused` it refused the request: its form, its signature, a right, its time, or for a reason that nobody
 * knows · `refused` it understood and said no to what was sent or asked for ·
 * `signing` nothing was sent: the request could not be signed on our side.
 */
export type CallErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'busy'
  | 'error'
  | 'credentials'
  | 'request-refused'
  | 'refused'
  | 'signing';

/** Somebody said no, to whatever. */
export const REFUSALS: ReadonlySet<CallErrorKind> = new Set(['request-refused', 'refused']);

/** Whether the authority itself said no: a firewall or a login page on the way gives no code of its form. */
export function isRefusedByAuthority({ kind, errors }: Pick<AuthorityCallError, 'kind' | 'errors'>): boolean {
  return REFUSALS.has(kind) && authorityCodeOf(errors) !== null;
}

type CallErrorFacts = {
  readonly kind: CallErrorKind;
  /** What the authority reported, in its own words; empty where it gave none. */
  readonly errors?: readonly AuthorityError[];
  /** Whether the request may have been carried out all the same. */
  readonly isUncertain?: boolean;
  /** The answer as it came, shortened, for the record. */
  readonly answer?: string | null;
  /** Null or missing where there was no answer. */
  readonly httpStatus?: number | null;
  /** Why, for accountants, where it is known without an answer. */
  readonly reason?: Message;
  readonly cause?: unknown;
};

export class AuthorityCallError extends Error {
  override readonly name = 'AuthorityCallError';
  readonly kind: CallErrorKind;
  readonly errors: readonly AuthorityError[];
  readonly isUncertain: boolean;
  readonly answer: string | null;
  readonly httpStatus: number | null;
  readonly reason: Message | null;

  constructor(message: string, facts: CallErrorFacts) {
    super(message, { cause: facts.cause });
    this.kind = facts.kind;
    this.errors = facts.errors ?? [];
    this.isUncertain = facts.isUncertain ?? false;
    this.answer = facts.answer ?? null;
    this.httpStatus = facts.httpStatus ?? null;
    this.reason = facts.reason ?? null;
  }
}

/** A document in the authority's own form, ready to be signed. */
export type PreparedDocument = {
  readonly docTypeCode: string;
  readonly docNumber: string;
  readonly docDate: string;
  /** Our identifier of the document at the authority, by which it knows a repetition. */
  readonly docId: string;
  /** The JSON text of what is signed, but for the time of the request. */
  readonly text: string;
};

/** What an error that the authority reported means for the document it was about. */
export type ErrorMeaning = 'already-registered' | 'their-failure' | 'references' | 'other';

/** What is known about the references of a document before it is converted. */
export type ReferenceHistory = {
  /** What the authority refused the document for before. */
  readonly leftOut: LeftOutReferences | null;
  /** Document types on which it refuses references. */
  readonly refusedOn: ReadonlySet<string>;
};

export type Preparation =
  | {
      readonly outcome: 'prepared';
      readonly document: PreparedDocument;
      readonly warnings: readonly ConversionWarning[];
    }
  | {
      readonly outcome: 'failed';
      readonly failureCode: FailureCode;
      /** In English. */
      readonly message: string;
      readonly sentences: readonly Sentence[];
      readonly warnings: readonly ConversionWarning[];
    };

/** A registered document that is to be voided. Whether a number is shared is asked as for `findRegistered`. */
export type VoidedDocument = {
  readonly docUid: DocUid;
  readonly euid: string;
  readonly sent: string | null;
  readonly reason: { readonly code: string; readonly name: string; readonly comment: string | null };
  readonly isNumberShared: (docNumber: string, euid: string) => Promise<boolean>;
};

export type VoidPreparation =
  | { readonly outcome: 'prepared'; readonly document: PreparedDocument }
  /** The authority has the void already. Where that is only presumed and turns out wrong, the document is sent. */
  | { readonly outcome: 'registered'; readonly registration: Registration; readonly document: PreparedDocument }
  | { readonly outcome: 'failed'; readonly reason: Message };

/** A document in the authority's register. */
export type Registration = {
  readonly euid: string;
  readonly qrLink: string | null;
  /** RFC 3339. */
  readonly registeredAt: string | null;
  readonly status: AuthorityStatus;
  readonly message: string | null;
  /** The answer as it came, shortened, for the record. */
  readonly answer: string | null;
  /** Known by number, date and amount alone, because its payload may not be read. */
  readonly isPresumed?: boolean;
  /** Only its EUID was listed: it may have a later status. */
  readonly isStatusUnread?: boolean;
};

export type EarlierDocument = { readonly euid: string; readonly issueDate: string };

/** A document as another one refers to it: by its number and, where it is stated, its date. */
export type ReferredDocument = { readonly number: string; readonly date: string | null };

/** Finds earlier documents of the tenant, each in the place of its reference; null where there is none. */
export type FindEarlier = (references: readonly ReferredDocument[]) => Promise<readonly (EarlierDocument | null)[]>;

export type AuthorityStatusChange = {
  readonly euid: string;
  readonly status: AuthorityStatus;
  /** The code of the status before; null where the authority does not say it. */
  readonly from: string | null;
  /** When, by the authority; null where it does not say so in a form that can be read. */
  readonly at: number | null;
  /** Why, where the authority or the other party gives a reason. */
  readonly reason: string | null;
};

/** What a list shows of an arrival; null where the payload does not say it in a form that can be read. */
export type ArrivalFacts = {
  readonly senderName: string | null;
  readonly senderEdb: string | null;
  readonly senderCountry: string | null;
  readonly documentNumber: string | null;
  /** An exact decimal in plain notation. */
  readonly amount: string | null;
  readonly currency: string | null;
};

/** A document in the authority's list of those for the tenant as buyer, with what the list says of it. */
export type ListedArrival = {
  readonly euid: string;
  readonly status: AuthorityStatus | null;
  readonly facts: ArrivalFacts;
};

export type ArrivalList = {
  readonly listed: readonly ListedArrival[];
  /** What is wrong with the other rows, one sentence for each. */
  readonly unreadableRows: readonly string[];
};

/** A document that the authority holds for the tenant as buyer. */
export type Arrival = {
  readonly euid: string;
  /** The payload exactly as returned; where the answer has another shape, the whole answer. */
  readonly original: Uint8Array;
  readonly facts: ArrivalFacts;
  /** Why it cannot be read as a document of the authority's form; null where it can. */
  readonly unreadable: string | null;
};

/** One thing that must be in order before documents can be delivered. */
export type AccountCheck = {
  readonly what: Message;
  readonly isOk: boolean;
  /** What was found, as `findingText` says it. */
  readonly detail: Message;
  /** Nothing speaks against it, but it cannot be tried without changing something at the authority. */
  readonly isUntested?: true;
};

type DocumentToSend = PreparedDocument & { readonly lastCheck?: () => Promise<void> };
type IsNumberShared = (euid: string) => Promise<boolean>;
type Sought = PreparedDocument & { readonly sentAt?: number | null; readonly isNumberShared?: IsNumberShared };

/** The tax authority, asked in a tenant's name. Every way to fail is an AuthorityCallError. */
export type Authority = {
  /** Turns a document into the authority's form, with what has to be looked up there. */
  readonly prepare: (
    tenant: Tenant,
    docUid: DocUid,
    content: DocumentContent,
    findEarlier: FindEarlier,
    references: ReferenceHistory,
  ) => Promise<Preparation>;
  /** What reported errors mean, and how an accountant would put the first of them; null where only its own words are known. */
  readonly interpret: (errors: readonly AuthorityError[]) => {
    readonly meaning: ErrorMeaning;
    readonly explanation: Message | null;
  };
  /** For a refusal that is about references: what to leave out; null where the document has none that are optional. */
  readonly refusedReferences: (
    document: PreparedDocument,
    errors: readonly AuthorityError[],
  ) => LeftOutReferences | null;
  /** The time by the authority's clock, as it must stand in a request. */
  readonly requestTimestamp: (tenant: Tenant) => Promise<string>;
  /** How long ago a request was made, at least, by the authority's clock as it is now; given by its timestamp or, where that is not kept, our time. */
  readonly sinceRequestMs: (tenant: Tenant, madeAt: string | number) => Promise<number>;
  /** The void of a registered document. `sent` is what was sent of the document; where that is not kept any more, the authority is asked for it. */
  readonly prepareVoid: (tenant: Tenant, voided: VoidedDocument) => Promise<VoidPreparation>;
  /** Registers a document. `lastCheck` is made when its turn has come: what it throws is thrown, and nothing is sent. */
  readonly send: (tenant: Tenant, document: DocumentToSend, requestTimestamp: string) => Promise<Registration>;
  /** Looks whether a document that was sent is registered, at first as what it is known to be. A number that it shares with another one of unknown outcome, by then, tells nothing. */
  readonly findRegistered: (tenant: Tenant, document: Sought, knownAs?: string) => Promise<Registration | null>;
  /** The signed container of a registered document; where it is one of ours, not that of another, as far as its content can be read. */
  readonly container: (tenant: Tenant, euid: string, docUid?: DocUid) => Promise<Uint8Array>;
  /** What became of the tenant's registered documents on a day (`YYYY-MM-DD` in Skopje), oldest first. */
  readonly statusChanges: (tenant: Tenant, day: string) => Promise<readonly AuthorityStatusChange[]>;
  /** The documents for the tenant as buyer; both days included, at most a month apart. */
  readonly arrivals: (tenant: Tenant, from: string, to: string) => Promise<ArrivalList>;
  /** Those of the documents whose payload is there as a text. */
  readonly arrived: (tenant: Tenant, euids: readonly string[]) => Promise<readonly Arrival[]>;
  /** One document, whatever shape the answer has. Throws where the answer does not hold it. */
  readonly arrivedInAnyShape: (tenant: Tenant, euid: string) => Promise<Arrival>;
  /** The PDF that the authority made of an arrival; null where it supplies none. */
  readonly arrivedPdf: (tenant: Tenant, euid: string) => Promise<Uint8Array | null>;
  /** Whether the tenant's account works, step by step. */
  readonly check: (tenant: Tenant) => Promise<readonly AccountCheck[]>;
};
