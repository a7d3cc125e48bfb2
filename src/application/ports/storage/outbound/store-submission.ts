import type { AuthorityEnvironment } from '../../../../domain/accounts/tenant.ts';
import type { AuditEntry } from '../audit-store.ts';
import type { IdempotencyRecordKey } from '../idempotency-store.ts';
import type { StoredDocument } from '../lists.ts';
import type { NewOutbound } from '../outbound-store.ts';

/** A document that a client sends, with what is stored beside it. */
export type NewSubmission = {
  readonly key: IdempotencyRecordKey;
  /** That of the tenant when the call was let in. */
  readonly environment: AuthorityEnvironment;
  readonly document: NewOutbound;
  readonly now: number;
  /** How long the key stands for this document. */
  readonly keptForMs: number;
  /** That of the call, without the identifier that the document is given. */
  readonly auditEntry: AuditEntry;
};

/**
 * Stores the document with its first history row, its idempotency record and its audit entry: all or nothing, durable when it
 * returns. Null, and nothing is stored, when the key is taken. Submissions that come together may share a transaction, where the
 * failure of one does not reach the others. Within a transaction a key that is taken is an error. Throws TenantChanged when the tenant
 * has left the environment since then, or may submit nothing any more.
 */
export type StoreSubmission = (submission: NewSubmission) => Promise<StoredDocument | null>;
