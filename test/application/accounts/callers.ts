import type { Caller } from '../../../src/application/accounts/caller.ts';
import type { AuditEntry } from '../../../src/application/ports/storage/audit-store.ts';
import type { Tenant } from '../../../src/domain/accounts/tenant.ts';
import { newAuditEntry, newKey, newTenant } from '../../engines/samples.ts';

export type TestCaller = Caller & {
  /** How often the use case marked the audit entry of the call as written. */
  readonly timesAudited: () => number;
};

/** Somebody with a valid key, making one call. */
export function callerOf(tenant: Tenant = newTenant(), software = 'ledger'): TestCaller {
  let audited = 0;
  const key = newKey(tenant.edb, { software });
  return {
    tenant,
    key,
    call: {
      auditEntry: ({ httpStatus, docUid }): AuditEntry =>
        newAuditEntry({ tenant: tenant.edb, keyId: key.keyId, method: 'POST', httpStatus, docUid }),
      origin: { requestId: null, traceparent: null },
      markAudited() {
        audited += 1;
      },
    },
    timesAudited: () => audited,
  };
}
