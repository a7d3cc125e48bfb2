import type { DocUid } from '../domain/doc-uid.ts';
import type { Edb } from '../domain/edb.ts';
import type { ErrorCode } from './problem-catalogue.ts';

/** One call as the audit trail remembers it. Secrets never enter it. */
export type AuditEntry = {
  readonly at: number;
  /** Null where no key was recognised. */
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
