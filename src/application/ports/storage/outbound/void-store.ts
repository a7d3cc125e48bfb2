import type { Edb } from '../../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../../domain/documents/doc-uid.ts';
import type { PreparedDocument } from '../../authority.ts';
import type { Lease, LongestWaits } from '../delivery-store.ts';

/** A reason of the authority's list, with what the operator adds to it. */
export type VoidReason = { readonly code: string; readonly name: string; readonly comment: string | null };

/**
 * `requested` to be sent · `sent` its answer is not known yet · `registered` the document is voided · `refused` by the authority ·
 * `failed` could not be sent.
 */
export type VoidState = 'requested' | 'sent' | 'registered' | 'refused' | 'failed';

/** The void of a document. */
export type OutboundVoid = {
  readonly tenant: Edb;
  /** The document that it voids. */
  readonly docUid: DocUid;
  readonly state: VoidState;
  readonly reason: VoidReason;
  readonly requestedAt: number;
  readonly dueAt: number | null;
  readonly failures: number;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  /** What was sent last, and when: by our clock, and by the authority's as it stands in the request, unless an earlier version sent it. */
  readonly sent: (PreparedDocument & { readonly sentAt: number; readonly requestTimestamp: string | null }) | null;
  /** The authority's identifier of the void itself. */
  readonly voidEuid: string | null;
  readonly endedAt: number | null;
};

export type VoidSettlement = Pick<OutboundVoid, 'state' | 'dueAt' | 'failures' | 'failureCode' | 'failureMessage'> & {
  readonly voidEuid?: string;
  readonly endedAt?: number;
};

/** How many voids of a tenant are due, and which user of the authority signs for it, who may do so for many tenants. */
export type DueVoids = { readonly tenant: Edb; readonly user: string; readonly voids: number };

export type VoidStore = {
  readonly find: (tenant: Edb, docUid: DocUid) => Promise<OutboundVoid | null>;
  /** How many voids of the tenant are requested or sent, without an outcome. */
  readonly countOpen: (tenant: Edb) => Promise<number>;
  /** The documents whose voids have this number, were sent, and have no known outcome. */
  readonly sentUnder: (tenant: Edb, docNumber: string) => Promise<readonly DocUid[]>;
  /** Due at once. False while a void of the document is under way or registered. */
  readonly request: (tenant: Edb, docUid: DocUid, reason: VoidReason, now: number) => Promise<boolean>;
  /** Makes voids due now that wait for a retry after one of these failures, for a look-up, or for the end of the tenant's stop. */
  readonly retryNow: (tenant: Edb, failureCodes: readonly string[], now: number) => Promise<void>;
  /** Makes due at `now` what is postponed longer than anything is; returns how many voids. */
  readonly recallPostponed: (now: number, longest: LongestWaits) => Promise<number>;
  /** Tenants that have voids due, the longest due first. */
  readonly tenantsDue: (now: number) => Promise<readonly DueVoids[]>;
  /** Claims due voids of the tenant until the lease ends, the longest due first. */
  readonly claim: (tenant: Edb, lease: Lease, now: number, limit: number) => Promise<readonly OutboundVoid[]>;
  /** Prolongs the lease; does nothing where it is lost. */
  readonly renew: (tenant: Edb, docUid: DocUid, lease: Lease) => Promise<void>;
  /** Puts on record what is about to be sent, and prolongs the lease. False when the lease is lost. */
  readonly beginSend: (
    tenant: Edb,
    docUid: DocUid,
    lease: Lease,
    sent: PreparedDocument & { readonly requestTimestamp: string },
    at: number,
  ) => Promise<boolean>;
  /** Ends the lease and changes nothing else; does nothing where it is lost. */
  readonly release: (tenant: Edb, docUid: DocUid, token: string, dueAt: number) => Promise<void>;
  /**
   * Ends the lease. False when it is lost: then nothing is written. Without a token it settles a void that was sent, whoever has
   * claimed it.
   */
  readonly settle: (tenant: Edb, docUid: DocUid, token: string | null, settlement: VoidSettlement) => Promise<boolean>;
};
