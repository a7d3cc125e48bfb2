import type { Edb } from '../../../domain/accounts/edb.ts';
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
  /** Which of these deduplication keys the tenant has documents for. */
  readonly known: (tenant: Edb, deduplicationKeys: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly list: (tenant: Edb, filter: InboundFilter, page: PageRequest) => Promise<Listed<InboundSummary>>;
  readonly file: (tenant: Edb, docUid: DocUid, representation: InboundRepresentation) => Promise<InboundFile | null>;
  /** Sets the time of acknowledgement if there is none; returns whether it was set. */
  readonly acknowledge: (tenant: Edb, docUid: DocUid, at: number) => Promise<boolean>;
};
