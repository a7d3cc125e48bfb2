import type { ApiKey } from '../../domain/accounts/api-key.ts';
import type { Tenant } from '../../domain/accounts/tenant.ts';
import type { DocUid } from '../../domain/documents/doc-uid.ts';
import type { AuditEntry } from '../ports/storage/audit-store.ts';

/** The call a use case works for; it knows how to enter itself in the audit trail. */
export type Call = {
  /** The audit entry of the call if it ends now with this HTTP status. */
  readonly entry: (outcome: { readonly httpStatus: number; readonly docUid: DocUid | null }) => AuditEntry;
  /** Told once the entry was written together with the change, so that it is not written again. */
  readonly recorded: () => void;
};

/** Who calls: a tenant, by one of its keys. */
export type Caller = { readonly tenant: Tenant; readonly key: ApiKey; readonly call: Call };
