import type { Edb } from '../../../domain/accounts/edb.ts';
import type { Sql } from '../engine.ts';

/**
 * Serialises transactions that change one side of a tenant: its list, the states of its documents and, for outbound, the tenant
 * itself. Take it before changing any row, so that no deadlock is possible between this lock and row locks, but as late as that
 * allows, because the tenant's next transaction waits until this one is committed.
 */
export function lockTenant(sql: Sql, tenant: Edb, side: 'outbound' | 'inbound'): void {
  sql.lock(`${side} ${tenant}`);
}
