import type { ApiKey } from '../../domain/accounts/api-key.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { CallOrigin } from '../../domain/audit/call-origin.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { AuditEntry } from '../ports/storage/audit-store.ts';

/** The API call that a use case works for. Its audit entry is written in the transaction of the change that it makes. */
export type Call = {
  /** The audit entry of the call, if it ends now with this HTTP status. */
  readonly auditEntry: (outcome: { readonly httpStatus: number; readonly docUid: DocUid | null }) => AuditEntry;
  /** Which call it is, in logs and traces. */
  readonly origin: CallOrigin;
  /** Marks the entry as written, so that it is not written a second time when the response is sent. */
  readonly markAudited: () => void;
};

/** A tenant that calls the API with one of its keys. */
export type Caller = { readonly tenant: Tenant; readonly key: ApiKey; readonly call: Call };
