import type { Edb } from '../../../domain/accounts/edb.ts';
import type { DocUid } from '../../../domain/documents/doc-uid.ts';
import type { ErrorCode } from '../../errors/problem-catalogue.ts';

/** One call in the audit trail. Never holds secrets. */
export type AuditEntry = {
  readonly at: number;
  /** Null when the key was not recognised. */
  readonly tenant: Edb | null;
  readonly keyId: string | null;
  /** The X-Software-Id header as sent. */
  readonly softwareId: string | null;
  readonly method: string;
  readonly path: string;
  readonly docUid: DocUid | null;
  readonly httpStatus: number;
  readonly code: ErrorCode | null;
  readonly address: string;
  readonly durationMs: number;
  readonly requestId: string;
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
