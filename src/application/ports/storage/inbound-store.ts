import type { Edb } from '../../../domain/accounts/edb.ts';
import type { ArrivalProblem } from '../../../domain/documents/arrival-problem.ts';
import type { AuthorityStatus } from '../../../domain/documents/authority-status.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type {
  InboundDocument,
  InboundRepresentation,
  InboundSummary,
} from '../../../domain/documents/inbound-document.ts';
import type { PageRequest } from '../../../domain/values/page.ts';
import type { FileToStore } from '../stored-file.ts';
import type { DateRange, Listed, StoredDocument, StoredRepresentation } from './lists.ts';

export type InboundFilter = {
  readonly received: DateRange;
  readonly senderEdb: string | null;
  readonly onlyNotImported: boolean;
};

export type NewInbound = {
  /** Two arrivals of a tenant with the same key are the same document; for example `euid:…` or `sha256:…`. */
  readonly deduplicationKey: string;
  readonly original: FileToStore;
  readonly ubl: FileToStore | null;
  readonly pdf: FileToStore | null;
  readonly fileName: string | null;
  readonly senderName: string | null;
  readonly senderEdb: string | null;
  /** ISO 3166-1 alpha-2, by which a foreign number is found with and without its prefix. */
  readonly senderCountry: string | null;
  readonly documentNumber: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly authorityStatus: AuthorityStatus | null;
};

export type InboundFile = StoredRepresentation & { readonly fileName: string | null };

export type InboundStore = {
  /** Stores an arrival unless the tenant has it already. */
  readonly add: (
    tenant: Edb,
    document: NewInbound,
    now: number,
  ) => Promise<{ readonly stored: StoredDocument; readonly isNew: boolean }>;
  readonly find: (tenant: Edb, docUid: DocUid) => Promise<InboundDocument | null>;
  /** Those of these deduplication keys that the tenant has documents for, with the authority's status as it is known. */
  readonly known: (
    tenant: Edb,
    deduplicationKeys: readonly string[],
  ) => Promise<ReadonlyMap<string, AuthorityStatus | null>>;
  /** Replaces the authority's status of a document; returns false where it is not the previous one any more. */
  readonly recordAuthorityStatus: (
    tenant: Edb,
    deduplicationKey: string,
    change: { readonly from: AuthorityStatus | null; readonly to: AuthorityStatus; readonly at: number },
  ) => Promise<boolean>;
  readonly list: (tenant: Edb, filter: InboundFilter, page: PageRequest) => Promise<Listed<InboundSummary>>;
  /** Which files there are, in the database or in the archive. */
  readonly formats: (tenant: Edb, docUid: DocUid) => Promise<readonly InboundRepresentation[]>;
  readonly file: (tenant: Edb, docUid: DocUid, representation: InboundRepresentation) => Promise<InboundFile | null>;
  /** Sets the time of acknowledgement if there is none; returns whether it was set. */
  readonly acknowledge: (tenant: Edb, docUid: DocUid, at: number) => Promise<boolean>;
};

export type ArrivalProblemStore = {
  /** In the order of their subjects; without documents that the client has acknowledged since they were stored. */
  readonly list: (tenant: Edb) => Promise<readonly ArrivalProblem[]>;
  /** Puts a problem on record, in place of the one that its subject had. */
  readonly save: (tenant: Edb, problem: ArrivalProblem) => Promise<void>;
  readonly remove: (tenant: Edb, subject: string) => Promise<void>;
  /** All but those of stored documents. */
  readonly removeUnstored: (tenant: Edb) => Promise<void>;
  /** What failed for this cause is asked for again at once. */
  readonly makeDue: (tenant: Edb, cause: string, now: number) => Promise<void>;
};
