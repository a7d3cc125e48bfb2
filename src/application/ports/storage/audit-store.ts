import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { ErrorCode } from '../../errors/problem-catalogue.ts';

/** One call, one command of the operator, or a number of refused calls in the audit trail. Never holds secrets. */
export type AuditEntry = {
  readonly at: number;
  /** Null when the key was not recognised, or a command is about no single tenant. */
  readonly tenant: Edb | null;
  readonly keyId: string | null;
  /** The X-Software-Id header as sent, bounded. */
  readonly softwareId: string | null;
  readonly method: string;
  readonly path: string;
  readonly docUid: DocUid | null;
  readonly httpStatus: number;
  readonly code: ErrorCode | null;
  readonly address: string;
  readonly durationMs: number;
  /** Identifies the entry together with its time: the same entry is kept once, however often it is written. */
  readonly requestId: string;
  /** What the entry is known by, so that it is kept once; its request id unless several entries may have that. */
  readonly entryId?: string;
  /** The operating system's name of who gave the command; null for a call. */
  readonly operator: string | null;
  /** How many calls the entry stands for. */
  readonly calls: number;
};

export type AuditFilter = {
  readonly tenant: Edb | null;
  readonly keyId: string | null;
  readonly docUid: DocUid | null;
  readonly since: number | null;
  readonly until: number | null;
  readonly limit: number;
};

export type AuditPage = {
  readonly entries: readonly AuditEntry[];
  /** Give it as `olderThan` to have the next page; null on the last one. */
  readonly next: DocUid | null;
};

export type AuditStore = {
  /** An entry that is there already, from a commit whose outcome was not known, stays as it is. */
  readonly append: (entries: readonly AuditEntry[]) => Promise<void>;
  /** Newest first. */
  readonly read: (filter: AuditFilter) => Promise<readonly AuditEntry[]>;
  /**
   * As many of them as the limit says, in the order of their identifiers: those before the given one where there is one. Of a key there may be fewer
   * although it is not the last page: so many entries are looked through for each.
   */
  readonly page: (filter: AuditFilter, olderThan: DocUid | null) => Promise<AuditPage>;
  /** When the tenant's environment was last changed, at `since` or later; null where it was not. */
  readonly environmentChangedAt: (tenant: Edb, since: number) => Promise<number | null>;
};
